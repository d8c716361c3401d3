//! A worker as a program of its own: what the tests start. The product's binary has a subcommand.

fn main() {
    storeyline_script::worker_main();
}
