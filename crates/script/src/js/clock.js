// A fixed clock and seeded random numbers, installed before anything can capture the real ones.
// Local time is UTC: every getter, setter and text form uses UTC, so the zone of the machine is
// never read.
(function (now, random) {
  "use strict";
  const Real = Date;
  const proto = Real.prototype;
  const { UTC, parse: realParse } = Real;
  const { apply, construct } = Reflect;
  const { getTime, toISOString } = proto;
  // Loads the zone table once, while files may still be opened.
  new Real(2000, 0, 1).getHours();

  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
  const test = RegExp.prototype.test;
  const dayOnly = /^[+-]?\d{4,6}(?:-\d\d(?:-\d\d)?)?$/;
  const zoned = /(?:Z|GMT|UTC?|[+-]\d\d:?\d\d)\s*(?:\([^)]*\))?\s*$/i;

  const parse = (given) => {
    const text = String(given);
    if (apply(test, dayOnly, [text]) || apply(test, zoned, [text])) return realParse(text);
    const iso = realParse(text + "Z");
    return iso === iso ? iso : realParse(text + " UTC");
  };

  const moment = (given) => {
    if (typeof given === "object" && given !== null) {
      try {
        return apply(getTime, given, []);
      } catch {
        given = given.valueOf();
        if (typeof given === "object" && given !== null) given = String(given);
      }
    }
    return typeof given === "string" ? parse(given) : Number(given);
  };

  function FixedDate(year, month) {
    if (new.target === undefined) return new FixedDate().toString();
    const count = arguments.length;
    const time = count === 0 ? now() : count === 1 ? moment(year) : apply(UTC, undefined, arguments);
    return construct(Real, [time], new.target);
  }
  Object.defineProperty(FixedDate, "name", { value: "Date" });
  Object.defineProperty(FixedDate, "length", { value: 7 });
  FixedDate.prototype = proto;
  // What exists is assigned: it stays as hidden as it is, and that takes a tenth of the time of a definition.
  proto.constructor = FixedDate;
  define(FixedDate, "now", function now_() { return now(); });
  define(FixedDate, "parse", function parse_(text) { return parse(text); });
  define(FixedDate, "UTC", UTC);
  globalThis.Date = FixedDate;

  for (const part of ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"]) {
    proto["get" + part] = proto["getUTC" + part];
    if (part !== "Day") proto["set" + part] = proto["setUTC" + part];
  }
  const { getUTCFullYear, setUTCFullYear } = proto;
  proto.getYear = function getYear() { return apply(getUTCFullYear, this, []) - 1900; };
  proto.setYear = function setYear(year) {
    const whole = Math.trunc(Number(year));
    return apply(setUTCFullYear, this, [whole >= 0 && whole <= 99 ? whole + 1900 : year]);
  };
  proto.getTimezoneOffset = function getTimezoneOffset() {
    const time = apply(getTime, this, []);
    return time === time ? 0 : NaN;
  };

  const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const two = (number) => (number < 10 ? "0" : "") + number;
  const year4 = (year) => (year < 0 ? "-" : "") + ("000" + Math.abs(year)).slice(Math.abs(year) > 999 ? 3 : -4);
  const text = (name, write) => {
    const method = {
      [name]() {
        const time = apply(getTime, this, []);
        return time === time ? write(new Real(time)) : "Invalid Date";
      },
    };
    proto[name] = method[name];
  };
  const day = (d) => `${days[d.getUTCDay()]} ${months[d.getUTCMonth()]} ${two(d.getUTCDate())} ${year4(d.getUTCFullYear())}`;
  const clock = (d) => `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} GMT+0000`;
  const localDay = (d) => `${two(d.getUTCMonth() + 1)}/${two(d.getUTCDate())}/${year4(d.getUTCFullYear())}`;
  const localClock = (d) =>
    `${two(d.getUTCHours() % 12 || 12)}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} ${d.getUTCHours() < 12 ? "AM" : "PM"}`;
  text("toString", (d) => `${day(d)} ${clock(d)}`);
  text("toDateString", day);
  text("toTimeString", clock);
  text("toLocaleString", (d) => `${localDay(d)}, ${localClock(d)}`);
  text("toLocaleDateString", localDay);
  text("toLocaleTimeString", localClock);
  Math.random = function random_() { return random(); };
  // What a date becomes in a state.
  return (value) => {
    try {
      return apply(toISOString, value, []);
    } catch {
      return undefined;
    }
  };
});
