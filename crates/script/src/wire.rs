//! Frames between the caller and a worker: `u32` length, then a message in postcard's format.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum length of a frame that is read, in bytes.
const MAX_FRAME: usize = 256 << 20;

/// Memory for a frame before any of it has arrived, in bytes.
const FIRST_BUFFER: usize = 64 << 10;

pub(crate) fn send(out: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).map_err(|_| io::Error::other("a frame is too long"))?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(frame)?;
    out.flush()
}

/// Reads one frame; `None` at the end of the stream.
pub(crate) fn receive(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::Error::other("a frame is too long"));
    }
    // The length is only claimed: memory follows what arrives.
    let mut frame = Vec::with_capacity(length.min(FIRST_BUFFER));
    input.take(length as u64).read_to_end(&mut frame)?;
    if frame.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(frame))
}

pub(crate) fn to_frame(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("a message consists of plain data")
}

/// Returns `None` for anything but a whole message.
pub(crate) fn from_frame<T: DeserializeOwned>(frame: &[u8]) -> Option<T> {
    let (message, rest) = postcard::take_from_bytes(frame).ok()?;
    rest.is_empty().then_some(message)
}

#[cfg(test)]
mod tests {
    use storeyline_functions::script::PatternMatch;
    use storeyline_state::{Change, Op, Step, Value, json};

    use super::*;
    use crate::limits::Limits;
    use crate::refuse;
    use crate::request::{Answer, Code, Job, Request, Response, Update};

    fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let frame = to_frame(value);
        assert_eq!(from_frame(&frame).as_ref(), Some(value));
        for cut in (0..frame.len()).step_by(7) {
            assert!(from_frame::<T>(&frame[..cut]).is_none(), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_sent_is_what_is_received() {
        let deep = "[".repeat(99) + &"]".repeat(99);
        let state = json::read(&format!(r#"{{"b":1,"a":[null,true,"药",1e-300,{deep}]}}"#).replace("a", "b2")).unwrap();
        let job = Job {
            code: Code::Sam { parameters: vec!["a".into(), "...rest".into()], body: "x".into() },
            args: vec![None, Some(state.clone())],
            context: Value::empty_object(),
            seed: u64::MAX,
            time: -1,
            ticks: 9,
            listens: true,
        };
        there_and_back(&Request::Run(Update::Whole(state.clone()), job.clone()));
        let op = |change| Op { path: vec![Step::Key("a".into()), Step::Index(3)], change };
        let ops = vec![
            op(Change::Set { old: Value::Null, new: state.clone() }),
            op(Change::Insert { new: state.clone(), at: 3 }),
            op(Change::Remove { old: state, at: 3 }),
        ];
        there_and_back(&Request::Test(Update::Ops(ops.clone()), job));
        there_and_back(&Request::Find { pattern: "(".into(), text: "金".into(), ticks: 1 });
        there_and_back(&Response::new(3, Answer::Changed(ops)));
        let found = PatternMatch { span: 1..4, groups: vec![None, Some("金".into())] };
        there_and_back(&Response::new(3, Answer::Matches(vec![found])));
        there_and_back(&Response::new(3, Answer::Refused(refuse::ticks(4))));
        there_and_back(&Limits::default());
    }

    /// Gives what it has, and remembers the largest buffer that was to be filled.
    struct Peer {
        bytes: io::Cursor<Vec<u8>>,
        largest: usize,
    }

    impl Read for Peer {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.largest = self.largest.max(buffer.len());
            self.bytes.read(buffer)
        }
    }

    #[test]
    fn memory_follows_what_arrives_and_not_what_is_claimed() {
        let receive = |claimed: usize, sent: usize| {
            let mut bytes = (claimed as u32).to_le_bytes().to_vec();
            bytes.resize(4 + sent, 7);
            let mut peer = Peer { bytes: io::Cursor::new(bytes), largest: 0 };
            (receive(&mut peer).map(|frame| frame.map(|frame| frame.len())), peer.largest)
        };
        let (received, largest) = receive(MAX_FRAME, 1_000);
        assert_eq!(received.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(largest <= FIRST_BUFFER, "{largest}");
        assert_eq!(receive(3_000_000, 3_000_001).0.unwrap(), Some(3_000_000));
        assert_eq!(receive(0, 0).0.unwrap(), Some(0));
        assert!(receive(MAX_FRAME + 1, 10).0.is_err());
    }

    #[test]
    fn a_frame_that_is_nested_without_end_is_no_value() {
        let frame = to_frame(&"[".repeat(1_000_000));
        assert_eq!(from_frame::<Value>(&frame), None);
    }
}
