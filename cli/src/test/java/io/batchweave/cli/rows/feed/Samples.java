package io.batchweave.cli.rows.feed;

/** Rows of every type, nested, with nulls at all depths. */
final class Samples {
    static final String SCHEMA =
            "a:boolean,b:int,c:long,d:float,e:double,f:decimal(20,2),g:date,h:time,i:timestamp,"
                    + "j:timestamptz,k:timestamp_ns,l:timestamptz_ns,m:string,n:uuid,o:fixed(2),"
                    + "p:binary,q:list<list<int>>,r:map<string,struct<x:int!,y:string>>,"
                    + "s:struct<t:int!,u:list<string!>>,"
                    + "v:bfloat16[2,1],w:binary as uint8[2],x:list<float!> as float32[2]";

    private static final String FULL =
            "{\"a\":true,\"b\":-7,\"c\":9223372036854775807,\"d\":0.5,\"e\":\"NaN\",\"f\":-1.5,"
                    + "\"g\":\"1969-01-03\",\"h\":\"00:00:01.000002\","
                    + "\"i\":\"1969-12-31T23:59:59.999999\",\"j\":\"2024-01-01T00:00:01Z\","
                    + "\"k\":\"1970-01-01T00:00:00.000000001\",\"l\":\"1970-01-01T00:00:00Z\","
                    + "\"m\":\"words\",\"n\":\"00112233-4455-6677-8899-aabbccddeeff\","
                    + "\"o\":\"AQI=\",\"p\":\"AAECAwQ=\",\"q\":[[1,null],null,[]],"
                    + "\"r\":{\"x\":{\"x\":1},\"y\":null},\"s\":{\"t\":2,\"u\":[\"v\",\"w\"]},"
                    + "\"v\":[[1],[-2]],\"w\":[3,4],\"x\":[5,6]}\n";

    static final String LINES =
            FULL + "{}\n" + FULL + "{\"q\":[],\"r\":{},\"s\":{\"t\":0},\"m\":\"\",\"p\":\"\"}\n";

    private Samples() {}
}
