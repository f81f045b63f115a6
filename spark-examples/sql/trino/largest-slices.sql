-- The slices with the most bytes: which rank waits longest for which step.
SELECT step, slices.slice AS slice, slices.length AS bytes, slices.rows AS rows
FROM demo.train_steps
CROSS JOIN UNNEST(slices) AS slices (slice, part, offset, length, rows, crc32c)
ORDER BY bytes DESC, step, slice
LIMIT 10
;
