-- The steps that one input fed, and how many tokens of each were its.
SELECT
    step,
    producer,
    reduce(
        filter(sources, s -> s.input LIKE '%/web.txt'),
        CAST(0 AS BIGINT),
        (sum, s) -> sum + s.amount,
        sum -> sum) AS tokens
FROM demo.train_steps
WHERE cardinality(filter(sources, s -> s.input LIKE '%/web.txt')) > 0
ORDER BY step
;
