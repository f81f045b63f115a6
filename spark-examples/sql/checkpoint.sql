-- What the model of a checkpoint was fed: at the checkpoint's tag the steps from where its job was attached up to the
-- checkpoint, but those that were skipped when its session started.
WITH model AS (
    SELECT made.step, coalesce(start.version, made.version) AS version
    FROM demo.train_events AS made
    LEFT JOIN demo.train_events AS start
        ON start.kind = 'session' AND start.effective AND start.job = made.job AND start.session = made.session
    WHERE made.kind = 'checkpoint' AND made.effective AND made.job = 'llm' AND made.checkpoint = 'mended'
),
said AS (
    SELECT seen.step, max_by(word.kind, word.version) AS kind
    FROM demo.train_events AS word
    JOIN model ON word.version < model.version
    JOIN demo.train_steps FOR VERSION AS OF 'checkpoint/llm/mended' AS seen
        ON seen.step BETWEEN word.step AND word.last_step
    WHERE word.kind IN ('skipped', 'unskipped') AND word.effective
    GROUP BY seen.step
)
SELECT
    count(*) AS steps,
    max(seen.step) AS last_step,
    sum(seen.rows) AS rows,
    sum(element_at(seen.attributes, 'tokens')) AS tokens
FROM demo.train_steps FOR VERSION AS OF 'checkpoint/llm/mended' AS seen
JOIN model ON seen.step < model.step
JOIN (
    SELECT max_by(step, version) AS first_step
    FROM demo.train_events
    WHERE kind = 'attached' AND effective AND job = 'llm'
) AS attached ON seen.step >= attached.first_step
LEFT JOIN said ON said.step = seen.step
WHERE coalesce(said.kind, 'unskipped') = 'unskipped'
;
