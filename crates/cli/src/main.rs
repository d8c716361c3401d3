//! `storeyline`: the command line. Each command parses its arguments, makes one call, prints the
//! result; errors become messages and exit codes in one file.

mod args;
mod data_dir;
mod failure;
mod files;
mod out;
mod style;

mod commands;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use crate::args::{Args, CardArgs, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let context = out::Context::new(args.json, args.data);
    let done = match args.command {
        Command::Serve(options) => commands::serve::run(&context, &options),
        Command::Link { account } => commands::link::run(&context, account.as_deref()),
        Command::Token(action) => commands::token::run(&context, &action),
        Command::Openapi => {
            context.line(storeyline_server::openapi_json().trim_end());
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
        Command::Example { language } => commands::example::run(&context, language.as_deref()),
        Command::Import(options) => commands::import::run(&context, &options),
        Command::Card(CardArgs::Show { card, world_book }) => commands::card::run(&context, &card, &world_book),
        Command::StripMvu { file } => commands::strip_mvu::run(&context, &file),
        Command::Path { story } => commands::path::run(&context, &story),
        Command::Show(options) => commands::show::run(&context, &options),
        Command::Archive(options) => commands::archive::run(&context, &options),
        Command::Export(options) => commands::export::run(&context, &options),
        Command::Log(options) => commands::log::run(&context, &options),
        Command::Diff(options) => commands::diff::run(&context, &options),
        Command::Messages(target) => commands::messages::run(&context, &target),
        Command::Append(options) => commands::edits::append(&context, &options),
        Command::Alternative(options) => commands::edits::alternative(&context, &options),
        Command::Swipe(options) => commands::edits::swipe(&context, &options),
        Command::Edit(options) => commands::edits::edit(&context, &options),
        Command::Delete(options) => commands::edits::delete(&context, &options),
        Command::Move(options) => commands::edits::move_floor(&context, &options),
        Command::Hide(options) => commands::edits::hide(&context, &options),
        Command::Invalidate(options) => commands::edits::invalidate(&context, &options),
        Command::Set(options) => commands::edits::set(&context, &options),
        Command::Override(options) => commands::edits::override_state(&context, &options),
        Command::Branch(action) => commands::branch::run(&context, &action),
        Command::Tag(action) => commands::tag::run(&context, &action),
        Command::Undo(options) => commands::undo::undo(&context, &options),
        Command::Redo(options) => commands::undo::redo(&context, &options),
        Command::Reprocess(options) => commands::reprocess::run(&context, &options),
        Command::Settings(options) => commands::settings::run(&context, &options),
        Command::Rules(options) => commands::rules::run(&context, &options),
        Command::Blame(options) => commands::trails::blame(&context, &options),
        Command::History(options) => commands::trails::history(&context, &options),
        Command::Where(options) => commands::search::places_of_page(&context, &options),
        Command::Search(options) => commands::search::run(&context, &options),
        Command::Template(action) => commands::template::run(&context, &action),
        Command::Snapshot(action) => commands::snapshot::run(&context, &action),
        Command::Stats { story } => commands::stats::run(&context, story.as_deref()),
        Command::Gc(options) => commands::gc::run(&context, &options),
        Command::Backup { out } => commands::backup::run(&context, &out),
        Command::Restore { file } => commands::restore::run(&context, &file),
        Command::Doctor => commands::doctor::run(&context),
        Command::Verify { repair } => commands::verify::run(&context, repair),
        Command::Sillytavern(action) => commands::sillytavern::run(&context, &action),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&context),
    }
}
