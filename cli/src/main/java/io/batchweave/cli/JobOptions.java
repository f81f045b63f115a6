package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import picocli.CommandLine.Parameters;

/** The dataset and the job: the parameters of every command of a training job. */
final class JobOptions {
    @Parameters(index = "0", paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Parameters(index = "1", paramLabel = "JOB", description = "The training job.")
    private String job;

    String dataset() {
        return dataset;
    }

    String job() {
        return job;
    }

    /** The job, which is attached. */
    Job open(Log log) {
        return new Jobs(log).open(job);
    }

    @Override
    public String toString() {
        return "job " + job + " of " + dataset;
    }
}
