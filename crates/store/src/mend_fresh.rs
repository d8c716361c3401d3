//! A row of `fresh` that cannot be read: the disk has changed it.
//!
//! What it held is needed by every transaction after it, so all of them are put aside together, and the
//! tree is as it was before them. They stay in the table under places that nobody looks at.

use crate::error::StoreError;
use crate::fresh::{PLACES, place};
use crate::fresh_code;
use crate::sql::{Next, Param, Sql, params};
use crate::sqlite::Durability;
use crate::store::{Owner, Store};

impl Store {
    /// Returns how many transactions lie in `fresh` from the first one on that cannot be read.
    pub fn unreadable(&self) -> Result<usize, StoreError> {
        self.database.read(|sql| Ok(from_the_first_damaged(sql)?.len()))
    }

    /// Puts them aside, and returns how many.
    pub fn put_unreadable_aside(&self) -> Result<usize, StoreError> {
        let count = self.database.write(Durability::Full, |sql| {
            let numbers = from_the_first_damaged(sql)?;
            for number in &numbers {
                sql.run("DELETE FROM fresh WHERE place = $1", params![-*number])?;
                sql.run("UPDATE fresh SET place = $1 WHERE place = $2", params![-*number, place(*number)])?;
            }
            if !numbers.is_empty() {
                // Whatever other programs remember is void.
                sql.run("UPDATE generation SET number = number + 1", &[])?;
            }
            Ok::<_, StoreError>(numbers.len())
        })?;
        if count == 0 {
            return Ok(0);
        }
        self.forget();
        self.write(&Owner::local(), Durability::Full, |tx| {
            tx.settle()?;
            tx.write_named()?;
            forget_what_led_there(tx.sql)
        })?;
        Ok(count)
    }
}

/// The numbers of the transactions in `fresh`, from the first one on that cannot be read.
fn from_the_first_damaged(sql: &dyn Sql) -> Result<Vec<i64>, StoreError> {
    let mut spread = 0;
    visit_one(sql, "SELECT spread FROM generation", &[], |row| {
        spread = row.int(0)?;
        Ok(())
    })?;
    let mut found = Vec::new();
    for number in spread + 1..=spread + PLACES {
        let (mut is_there, mut is_readable) = (false, false);
        let query = "SELECT bytes FROM fresh WHERE place = $1 AND number = $2";
        visit_one(sql, query, params![place(number), number], |row| {
            (is_there, is_readable) = (true, fresh_code::read(row.bytes(0)?).is_some());
            Ok(())
        })?;
        if !is_there {
            break;
        }
        if !is_readable || !found.is_empty() {
            found.push(number);
        }
    }
    Ok(found)
}

/// Takes away what was written beside those transactions and is about rows that are not there any more:
/// their numbers will be given again. All other rows are in their tables now.
fn forget_what_led_there(sql: &dyn Sql) -> Result<(), StoreError> {
    let last = |table: &str| format!("(SELECT coalesce(max(id), 0) FROM {table})");
    let (node, state, operation) = (last("node"), last("state"), last("operation"));
    // Of a story whose root is gone nothing is left.
    let rootless = format!("(SELECT id FROM story WHERE root > {node})");
    for query in [
        format!("DELETE FROM cursor WHERE ref IN (SELECT id FROM ref WHERE story IN {rootless})"),
        format!("DELETE FROM ref WHERE story IN {rootless}"),
        format!("DELETE FROM story WHERE root > {node}"),
        format!("DELETE FROM keyframe WHERE state > {state}"),
        format!("DELETE FROM cursor WHERE node > {node}"),
        format!("UPDATE ref SET host_node = NULL WHERE host_node > {node}"),
        format!("UPDATE ref SET head = host_node WHERE head > {node}"),
        format!("UPDATE ref SET operation = NULL WHERE operation > {operation}"),
    ] {
        sql.run(&query, &[])?;
    }
    Ok(())
}

fn visit_one(
    sql: &dyn Sql,
    query: &str,
    params: &[Param<'_>],
    mut read: impl FnMut(&dyn crate::sql::Row) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    sql.visit(query, params, &mut |row| {
        read(row)?;
        Ok(Next::Stop)
    })
}
