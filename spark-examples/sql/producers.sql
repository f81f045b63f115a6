-- Each producer's share of the steps and of their tokens, and how far its newest step lies behind the newest of all.
SELECT
    producer,
    count(*) AS steps,
    CAST(100.0 * count(*) / sum(count(*)) OVER () AS DECIMAL(4, 1)) AS percent,
    sum(element_at(attributes, 'tokens')) AS tokens,
    max(max(step)) OVER () - max(step) AS steps_behind,
    max(published_at) AS last_published
FROM demo.train_steps
GROUP BY producer
ORDER BY producer
;
