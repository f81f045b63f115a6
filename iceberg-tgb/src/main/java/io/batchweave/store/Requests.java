package io.batchweave.store;

/**
 * How many requests were made and what they moved, up to a moment.
 *
 * @param creates objects created at once
 * @param uploads objects uploaded in pieces, completed or not
 * @param reads of whole objects and of ranges
 * @param lists of folders
 * @param deletes calls, of any number of keys
 * @param refused creates and uploads whose key already existed
 * @param unknown creates and uploads of which it could not be learned how they came out
 * @param bytesUp offered in creates and written to uploads
 * @param bytesDown found by reads
 */
public record Requests(
        long creates,
        long uploads,
        long reads,
        long lists,
        long deletes,
        long refused,
        long unknown,
        long bytesUp,
        long bytesDown) {
    /** All requests. */
    public long total() {
        return creates + uploads + reads + lists + deletes;
    }

    /** What came after {@code earlier}. */
    public Requests minus(Requests earlier) {
        return new Requests(
                creates - earlier.creates,
                uploads - earlier.uploads,
                reads - earlier.reads,
                lists - earlier.lists,
                deletes - earlier.deletes,
                refused - earlier.refused,
                unknown - earlier.unknown,
                bytesUp - earlier.bytesUp,
                bytesDown - earlier.bytesDown);
    }
}
