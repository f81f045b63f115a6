package io.batchweave.cli;

import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.SliceGrid;
import io.batchweave.payload.PayloadSchema;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a dataset. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = "Create a dataset: its payload schema, its slice grid, its producers.")
final class CreateCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--grid",
            required = true,
            paramLabel = "AXIS=SIZE[,...]",
            description = "Slice grid, slowest axis first, such as dp=8 or dp=64,cp=8.")
    private String grid;

    @Option(
            names = "--tokens",
            description =
                    "Use the ready-made schema for packed token sequences:"
                            + " tokens list<int>, valid int, doc_starts list<int>.")
    private boolean tokens;

    @Option(
            names = "--schema",
            paramLabel = "FILE.json|NAME:TYPE,...",
            description = {
                "The payload schema: a file in Iceberg's JSON form, or fields such as"
                        + " 'tokens:list<int>!,doc:string,image:binary'. A type with ! behind it is"
                        + " required, others are optional; field ids are given from 1, each field"
                        + " before those in it.",
                "Types: boolean, int, long, float, double, decimal(P,S), date, time, timestamp,"
                        + " timestamptz, timestamp_ns, timestamptz_ns, string, uuid, fixed(N),"
                        + " binary, list<T>, map<K,V>, struct<a:T,b:T>.",
                "Tensors: 'image:uint8[224,224,3]' lies in fixed bytes, 'image:binary as"
                        + " uint8[224,224,3]' and 'v:list<float!> as float32[768]' in what is named;"
                        + " every value has the whole shape. Of bool, int8 to int64, uint8 to uint64,"
                        + " float8_e4m3fn, float8_e5m2, float16, bfloat16, float32, float64."
            })
    private String schema;

    @Option(
            names = "--producers",
            split = ",",
            paramLabel = "ID",
            description =
                    "Declare the producers; the dataset is sealed when all of them have finished.")
    private List<String> producers = List.of();

    @Option(
            names = "--max-lead",
            paramLabel = "STEPS",
            defaultValue = "0",
            description =
                    "Let producers wait when they are so many steps ahead of the slowest job's newest"
                            + " checkpoint. Jobs must make checkpoints more often than that. 0: never"
                            + " wait. Default: ${DEFAULT-VALUE}")
    private long maxLead;

    @Override
    public Integer call() {
        if (tokens == (schema != null)) {
            throw new InvalidRequestException(
                    "Cannot create "
                            + dataset
                            + (tokens ? " with two schemas" : " without a schema")
                            + ": name --tokens or --schema");
        }
        PayloadSchema payload = tokens ? PayloadSchema.tokens() : SchemaArgument.parse(schema);
        DatasetName name = DatasetName.parse(dataset);
        SliceGrid axes = SliceGrid.parse(grid);
        String id = warehouse.world().newId();
        CreateDataset entry =
                new CreateDataset(id, payload.json(), axes.axes(), producers, List.of());
        List<Entry> settings =
                maxLead == 0 ? List.of() : List.of(new Alter(List.of(new MaxLead(maxLead))));
        return warehouse.runOnNew(
                store -> {
                    Log.create(store, name, entry, settings, warehouse.world(), LogLimits.DEFAULT);
                    output.print(
                            Output.object(
                                    "dataset", name.toString(), "id", id, "grid", axes.toString()),
                            "Created "
                                    + name
                                    + " with the grid "
                                    + axes
                                    + " ("
                                    + Output.count(axes.slices(), "slice", "slices")
                                    + " a step) in "
                                    + store.uri());
                    return ExitCode.OK;
                });
    }

    @Override
    public String interrupt() {
        return "the dataset may be there or not; 'status' tells";
    }
}
