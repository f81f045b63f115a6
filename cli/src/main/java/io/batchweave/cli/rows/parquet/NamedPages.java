package io.batchweave.cli.rows.parquet;

import java.util.Optional;
import java.util.function.Consumer;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;

/**
 * The pages of a row group, of which it is told whose is being read: they are decompressed only
 * then, and a failure of that knows no column.
 */
final class NamedPages implements PageReadStore {
    private final PageReadStore pages;
    private final Consumer<String> reading;

    /**
     * Wraps pages.
     *
     * @param reading takes the path of the column that is begun, and nothing when it is done
     */
    NamedPages(PageReadStore pages, Consumer<String> reading) {
        this.pages = pages;
        this.reading = reading;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor column) {
        PageReader reader = pages.getPageReader(column);
        String name = String.join(".", column.getPath());
        return new PageReader() {
            /** What is next made of it is still of this column, and then comes a page of it. */
            @Override
            public DictionaryPage readDictionaryPage() {
                reading.accept(name);
                return reader.readDictionaryPage();
            }

            @Override
            public long getTotalValueCount() {
                return reader.getTotalValueCount();
            }

            @Override
            public DataPage readPage() {
                reading.accept(name);
                DataPage page = reader.readPage();
                reading.accept("");
                return page;
            }
        };
    }

    @Override
    public long getRowCount() {
        return pages.getRowCount();
    }

    @Override
    public Optional<Long> getRowIndexOffset() {
        return pages.getRowIndexOffset();
    }
}
