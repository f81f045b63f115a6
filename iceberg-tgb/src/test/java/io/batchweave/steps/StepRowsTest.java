package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Count;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;

/** What a row tells of a step. */
class StepRowsTest {
    private static final Bytes DIGEST = Bytes.fromHex("ab".repeat(32));
    private static final Provenance PROVENANCE =
            new Provenance(
                    List.of(
                            new Source("a.jsonl", 10, DIGEST, 0),
                            new Source("b", 0, Bytes.EMPTY, 2)),
                    List.of(
                            new SourceRows(0, 0, 4, 2, 100),
                            new SourceRows(1, 0, 5, 3, 50),
                            new SourceRows(1, 1, 7, 1, 6)));

    private final FoldStage stage = new FoldStage(new FaultyCatalog());

    private Record folded() {
        GlobalBatch plain = Entries.batch(1, 2);
        GlobalBatch batch =
                new GlobalBatch(
                        0,
                        plain.parts(),
                        List.of(new Count("tokens", 156), new Count("tokens.en", 0)),
                        PROVENANCE);
        stage.append(new Publish(new Claim("p", 1, 0), Bytes.EMPTY, batch));
        stage.fold().run();
        return stage.rows(ViewTable.STEPS).get(0);
    }

    private static List<?> list(Record row, String name) {
        return (List<?>) row.getField(name);
    }

    private static Record item(Record row, String name, int index) {
        return (Record) list(row, name).get(index);
    }

    @Test
    void countsAreAttributes() {
        assertThat(folded().getField("attributes"))
                .isEqualTo(Map.of("tokens", 156L, "tokens.en", 0L));
    }

    @Test
    void slicesAndPartsSayWhereThePayloadLies() {
        Record row = folded();
        assertThat(list(row, "slices")).hasSize(2);
        assertThat(item(row, "slices", 1).getField("offset")).isEqualTo(64L);
        assertThat(item(row, "slices", 1).getField("crc32c")).isEqualTo(1L);
        assertThat(item(row, "parts", 0).getField("path"))
                .asString()
                .startsWith("train/pretrain/data/p/00000000000000000001/")
                .endsWith(".arrow");
        assertThat(row.getField("rows")).isEqualTo(6L);
        assertThat(row.getField("bytes")).isEqualTo(128L);
    }

    @Test
    void sourcesSayWhichRowsItWasMadeOf() {
        Record row = folded();
        Record known = item(row, "sources", 0);
        assertThat(known.getField("input")).isEqualTo("a.jsonl");
        assertThat(known.getField("digest")).isEqualTo(DIGEST.toHex());
        assertThat(known.getField("first_row")).isEqualTo(4L);
        assertThat(known.getField("last_row")).isEqualTo(7L);
        assertThat(known.getField("amount")).isEqualTo(150L);
        Record unknown = item(row, "sources", 1);
        assertThat(unknown.getField("digest")).isNull();
        assertThat(unknown.getField("epoch")).isEqualTo(2);
    }

    @Test
    void everyColumnSaysWhatItIs() {
        for (ViewTable kind : ViewTable.values()) {
            assertThat(kind.schema().columns())
                    .allSatisfy(column -> assertThat(column.doc()).isNotBlank());
        }
    }
}
