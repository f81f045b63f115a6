package io.batchweave.e2e;

import java.util.List;
import java.util.Map;

/** Whoever answers SQL: its rows as texts by column, without nulls. */
interface Engine {
    List<Map<String, String>> ask(String statement);
}
