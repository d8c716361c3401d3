//! Scripts of our own, compiled once per process: reading their bytecode takes a twentieth of the time of parsing them.
//!
//! Every page has a new engine, so what an engine needs at its start is the cost of a page.

#![expect(unsafe_code, reason = "the engine's binding offers bytecode for modules only, which scripts could import")]

use std::ffi::CString;
use std::ptr;

use rquickjs::{Context, Ctx, Runtime, Value as Js, qjs};

/// A compiled script. It contains no source: the text of its functions is that of native ones.
pub(crate) struct Bytecode(Vec<u8>);

impl Bytecode {
    /// Compiles a script of this crate in an engine of its own.
    pub(crate) fn compile(source: &str) -> Bytecode {
        let compiled = Runtime::new()
            .and_then(|runtime| Context::full(&runtime))
            .and_then(|context| context.with(|ctx| Bytecode::compile_in(&ctx, source)));
        compiled.expect("a script of this crate compiles")
    }

    fn compile_in(ctx: &Ctx<'_>, source: &str) -> rquickjs::Result<Bytecode> {
        let text = CString::new(source)?;
        let (context, flags) = (ctx.as_raw().as_ptr(), qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY);
        let mut length = 0;
        // SAFETY: the context lives, the text ends with a zero byte, and `from_raw` takes over the value that `JS_Eval`
        // returned. `JS_WriteObject` returns null or `length` bytes, which `js_free` takes back.
        unsafe {
            let compiled =
                qjs::JS_Eval(context, text.as_ptr(), source.len() as _, c"storeyline".as_ptr(), flags as i32);
            let compiled = Js::from_raw(ctx.clone(), compiled);
            let flags = qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE | qjs::JS_WRITE_OBJ_STRIP_DEBUG;
            let bytes = qjs::JS_WriteObject(context, &raw mut length, compiled.as_raw(), flags as i32);
            if bytes.is_null() {
                return Err(rquickjs::Error::Exception);
            }
            let copy = ptr::slice_from_raw_parts(bytes, length as usize).as_ref().unwrap_or_default().to_vec();
            qjs::js_free(context, bytes.cast());
            Ok(Bytecode(copy))
        }
    }

    /// Runs the script in this engine and returns its value.
    pub(crate) fn run<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Js<'js>> {
        let context = ctx.as_raw().as_ptr();
        // SAFETY: the bytes were written by the same engine in this process. `JS_EvalFunction` takes over what
        // `JS_ReadObject` returned, and `from_raw` what it returns itself; neither exception is a value.
        unsafe {
            let read =
                qjs::JS_ReadObject(context, self.0.as_ptr(), self.0.len() as _, qjs::JS_READ_OBJ_BYTECODE as i32);
            if qjs::JS_IsException(read) {
                return Err(rquickjs::Error::Exception);
            }
            let value = qjs::JS_EvalFunction(context, read);
            if qjs::JS_IsException(value) {
                return Err(rquickjs::Error::Exception);
            }
            Ok(Js::from_raw(ctx.clone(), value))
        }
    }
}

#[cfg(test)]
mod tests {
    use rquickjs::{Function, Object};

    use super::*;

    #[test]
    fn compiled_scripts_run_in_every_engine_and_show_no_source() {
        let code = Bytecode::compile("(function (given) { return { sum: given + 1, pattern: /^a+$/.test('aa') } })");
        for given in [1, 2] {
            let runtime = Runtime::new().unwrap();
            let context = Context::full(&runtime).unwrap();
            context.with(|ctx| {
                let function = Function::from_value(code.run(&ctx).unwrap()).unwrap();
                let made: Object<'_> = function.call((given,)).unwrap();
                assert_eq!(made.get::<_, i32>("sum").unwrap(), given + 1);
                assert!(made.get::<_, bool>("pattern").unwrap());
                let show: Function<'_> = ctx.eval("f => String(f)").unwrap();
                assert!(!show.call::<_, String>((function,)).unwrap().contains("given"));
            });
        }
    }

    #[test]
    fn what_a_compiled_script_throws_is_an_error() {
        let code = Bytecode::compile("throw new Error('no')");
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| assert!(code.run(&ctx).is_err() && ctx.catch().is_error()));
    }
}
