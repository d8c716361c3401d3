//! A stand-alone worker program for the tests. The product's binary has a subcommand.

fn main() {
    storeyline_script::worker_main();
}
