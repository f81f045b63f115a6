package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.retain.Jobs;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of a job: which session they are in, and what they must agree on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RanksOfAJobTest {
    @TempDir private Path folder;
    private ServedNumbers served;

    @BeforeEach
    void serve() {
        served = new ServedNumbers(folder, 1 << 20);
    }

    @AfterEach
    void end() throws InterruptedException {
        served.close();
    }

    private String refusal(String more) {
        try (TrainerProcess trainer = TrainerProcess.known(served.socket())) {
            return TrainerProcess.error(trainer.open(served.warehouse(), more)).orElseThrow();
        }
    }

    private void awaitNoReaders() {
        while (!served.sidecar().summary().startsWith("0 readers")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void ranksOfAJobWithoutASessionJoinOneAndARestartTakesAnother() {
        served.publish(10);
        String cursor;
        String session;
        try (TrainerProcess first = served.trainer("'job':'llm','mesh':'dp=0/2'");
                TrainerProcess second = TrainerProcess.known(served.socket())) {
            JsonNode opened =
                    second.open(served.warehouse(), "'job':'llm','mesh':'dp=1/2'").get("ok");
            session = opened.get("session").textValue();
            first.next();
            second.next();
            JsonNode last = second.ask("{'do':'next'}").get("ok");
            cursor = last.get("cursor").textValue();
            assertThat(cursor).endsWith(":llm:" + session);
        }
        awaitNoReaders();
        try (TrainerProcess again = TrainerProcess.known(served.socket())) {
            JsonNode opened =
                    again.open(
                                    served.warehouse(),
                                    "'job':'llm','mesh':'dp=0/1','cursor':'" + cursor + "'")
                            .get("ok");
            assertThat(opened.get("session").textValue()).isNotEqualTo(session);
            assertThat(opened.get("next_step").longValue()).isEqualTo(2);
            assertThat(again.next()).isEqualTo(2);
        }
        served.write(
                log -> {
                    assertThat(new Jobs(log).open("llm").state().position().nextStep())
                            .isEqualTo(2);
                });
    }

    @Test
    void aRankOfAReplacedSessionIsToldToStop() {
        served.publish(3);
        try (TrainerProcess old = served.trainer("'job':'llm','session':'s1'")) {
            old.next();
            try (TrainerProcess fresh = served.trainer("'job':'llm','session':'s2'")) {
                assertThat(TrainerProcess.error(old.ask("{'do':'next'}")).orElseThrow())
                        .isEqualTo(
                                "fenced: Cannot go on in session s1 of job llm of train.numbers:"
                                        + " session s2 has started since; stop");
                assertThat(fresh.next()).isZero();
            }
        }
    }

    @Test
    void aCheckpointOfAllRanksMovesTheJob() {
        served.publish(4);
        try (TrainerProcess trainer = served.trainer("'job':'llm','session':'s'")) {
            trainer.next();
            String cursor = trainer.ask("{'do':'next'}").at("/ok/cursor").textValue();
            String line = "{'do':'checkpoint','id':'c','cursor':'" + cursor + "','ranks':2,'rank':";
            assertThat(trainer.ask(line + "0}").at("/ok/waiting_for").intValue()).isEqualTo(1);
            assertThat(trainer.ask(line + "1}").at("/ok/waiting_for").intValue()).isZero();
        }
        served.write(
                log -> {
                    assertThat(new Jobs(log).open("llm").state().position().checkpoint())
                            .isEqualTo("c");
                });
    }

    @Test
    void ranksOfASessionMustAgreeOnTheMeshAndTheirStart() {
        served.publish(6);
        try (TrainerProcess first = served.trainer("'job':'j','session':'s','mesh':'dp=0/2'")) {
            assertThat(refusal("'job':'j','session':'s','mesh':'dp=0/3'"))
                    .startsWith("invalid: Cannot read with mesh dp=0/3 from step 0")
                    .endsWith(
                            "rank dp=0/2 of train.numbers (process 4242) has mesh dp=2; end it, or"
                                    + " name another session");
            first.next();
            String cursor = first.ask("{'do':'next'}").at("/ok/cursor").textValue();
            try (TrainerProcess back =
                    served.trainer(
                            "'job':'j','session':'s','mesh':'dp=1/2','cursor':'" + cursor + "'")) {
                assertThat(back.next()).isEqualTo(2);
                assertThat(first.next()).isEqualTo(2);
                String ahead = first.ask("{'do':'next'}").at("/ok/cursor").textValue();
                first.close();
                assertThat(
                                refusal(
                                        "'job':'j','session':'s','mesh':'dp=0/2','cursor':'"
                                                + ahead
                                                + "'"))
                        .contains(
                                "rank dp=1/2 of train.numbers (process 4242) opened at step 2",
                                "load the same checkpoint on all ranks, or end that one");
            }
        }
    }

    @Test
    void ranksThatGoOnNeedNotBeAtTheSameStep() {
        served.publish(4);
        String cursorAhead;
        String cursorBehind;
        String job = "'job':'llm','session':'s1',";
        try (TrainerProcess ahead = served.trainer(job + "'mesh':'dp=0/2'");
                TrainerProcess behind = served.trainer(job + "'mesh':'dp=1/2'")) {
            cursorBehind = behind.ask("{'do':'next'}").at("/ok/cursor").textValue();
            ahead.next();
            cursorAhead = ahead.ask("{'do':'next'}").at("/ok/cursor").textValue();
        }
        awaitNoReaders();

        String again = job + "'goes_on':true,'cursor':'";
        try (TrainerProcess ahead = served.trainer(again + cursorAhead + "','mesh':'dp=0/2'");
                TrainerProcess behind =
                        served.trainer(again + cursorBehind + "','mesh':'dp=1/2'")) {
            assertThat(ahead.next()).isEqualTo(2);
            assertThat(behind.next()).isEqualTo(1);
        }
    }
}
