-- Tokens that each input gave to each thousand steps.
SELECT step - step % 1000 AS first_step, source.input AS input, sum(source.amount) AS tokens
FROM demo.train_steps
CROSS JOIN UNNEST(sources) AS source (input, length, digest, epoch, first_row, last_row, amount)
GROUP BY step - step % 1000, source.input
ORDER BY first_step, input
;
