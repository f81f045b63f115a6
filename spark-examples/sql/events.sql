-- The starts of jobs, their checkpoints, and what was skipped and why, as they came.
SELECT at, kind, job, session, checkpoint, step, last_step, reason
FROM demo.train_events
WHERE kind IN ('session', 'checkpoint', 'skipped', 'unskipped') AND effective
ORDER BY version, entry
;
