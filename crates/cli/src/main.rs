//! `storeyline`: the command line. Each command parses its arguments, makes one call, prints the
//! result; errors become messages and exit codes in one file.

mod args;
mod data_dir;
mod failure;
mod out;
mod style;

mod commands;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let context = out::Context::new(args.json, args.data);
    let done = match args.command {
        Command::Serve(options) => commands::serve::run(&context, &options),
        Command::Openapi { typescript } => {
            let text = match typescript {
                true => storeyline_server::typescript(),
                false => storeyline_server::openapi_json().to_owned(),
            };
            context.line(text.trim_end());
            Ok(())
        }
        Command::Apply(options) => commands::apply::run(&context, &options),
        Command::Prompt(options) => commands::functions::prompt(&context, &options),
        Command::Functions(options) => commands::functions::run(&context, &options),
        Command::Replay(options) => commands::replay::run(&context, &options),
        Command::Conformance(options) => commands::conformance::run(&context, &options),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Args::command(), "storeyline", &mut std::io::stdout());
            Ok(())
        }
        Command::JsWorker => storeyline_engine::scripts::worker_main(),
        Command::Stories => commands::stories::run(&context),
        Command::Import(options) => commands::import::run(&context, &options),
        Command::Card(action) => commands::card::run(&context, &action),
        Command::StripMvu(options) => commands::strip_mvu::run(&context, &options),
        Command::Path(options) => commands::path::run(&context, &options),
        Command::Show(options) => commands::show::run(&context, &options),
        Command::Archive(options) => commands::archive::run(&context, &options),
        Command::Export(options) => commands::export::run(&context, &options),
        Command::Log(options) => commands::log::run(&context, &options),
        Command::Diff(options) => commands::diff::run(&context, &options),
        Command::Messages(options) => commands::messages::run(&context, &options),
        Command::Append(options) => commands::append::run(&context, &options),
        Command::Alternative(options) => commands::alternative::run(&context, &options),
        Command::Swipe(options) => commands::swipe::run(&context, &options),
        Command::Edit(options) => commands::edit::run(&context, &options),
        Command::Delete(options) => commands::delete::run(&context, &options),
        Command::Move(options) => commands::move_floor::run(&context, &options),
        Command::Hide(options) => commands::hide::run(&context, &options),
        Command::Set(options) => commands::set::run(&context, &options),
        Command::Override(options) => commands::override_state::run(&context, &options),
        Command::Branch(action) => commands::branch::run(&context, &action),
        Command::Tag(action) => commands::tag::run(&context, &action),
        Command::Undo(options) => commands::undo::run(&context, &options),
        Command::Redo(options) => commands::redo::run(&context, &options),
        Command::Reprocess(options) => commands::reprocess::run(&context, &options),
        Command::Settings(options) => commands::settings::run(&context, &options),
        Command::Rules(options) => commands::rules::run(&context, &options),
        Command::Blame(options) => commands::blame::run(&context, &options),
        Command::History(options) => commands::history::run(&context, &options),
        Command::Search(options) => commands::search::run(&context, &options),
        Command::Template(action) => commands::template::run(&context, &action),
        Command::Snapshot(action) => commands::snapshot::run(&context, &action),
        Command::Stats(options) => commands::stats::run(&context, &options),
        Command::Gc(options) => commands::gc::run(&context, &options),
        Command::Backup(options) => commands::backup::run(&context, &options),
        Command::Restore(options) => commands::restore::run(&context, &options),
        Command::Doctor => commands::doctor::run(&context),
        Command::Verify(options) => commands::verify::run(&context, &options),
        Command::Sillytavern(action) => commands::sillytavern::run(&context, &action),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&context),
    }
}
