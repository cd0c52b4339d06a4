/** A program on the module path. The module with the native libraries is found by itself. */
module com.example.modules {
    requires jfs;
}
