-- The slices with the most bytes: which rank waits longest for which step.
SELECT step, slice.slice AS slice, slice.length AS bytes, slice.rows AS rows
FROM demo.train_steps
LATERAL VIEW explode(slices) exploded AS slice
ORDER BY bytes DESC, step, slice
LIMIT 10
;
