package io.batchweave.catalog;

/** Where our catalog leaves the metadata of a table that it dropped. */
public final class Dropped {
    private Dropped() {}

    /** Where it is, of the table whose last metadata lay there. */
    public static String metadata(String last) {
        String name = last.substring(last.lastIndexOf('/') + 1);
        int version = Integer.parseInt(name.substring(1, name.indexOf('.')));
        return last.substring(0, last.lastIndexOf('/') + 1)
                + "x"
                + (version + 1)
                + ".metadata.json.dropped";
    }
}
