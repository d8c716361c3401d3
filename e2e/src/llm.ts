// A scripted language model: an OpenAI-compatible server on loopback with a queue of replies and a log of
// every prompt. It knows nothing of Storeyline. An unscripted request fails with an error, so that a test
// cannot pass by accident.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Reply {
  /** One text per choice (`n`); a plain string is one choice. */
  text: string | string[];
  /** Streaming: after this many characters wait until `release()` or until the client disconnects. */
  holdAfter?: number;
  /** Streaming: after this many characters the connection breaks, or invalid JSON is sent. */
  breakAfter?: number;
  garbageAfter?: number;
  /** Answer with this HTTP status instead. */
  error?: number;
  /** Requests this tool, after the text. */
  tool?: string;
}

export interface ChatMessage {
  role: string;
  /** Absent if the model requested a tool. */
  content: string | { type: string; text?: string }[] | null;
}

interface ChatRequest {
  stream?: boolean;
  n?: number;
  messages: ChatMessage[];
}

/**
 * Milliseconds to the first token and between tokens. The host mishandles a stream that ends at once (it
 * keeps "...").
 */
const firstDelay = 60;
const chunkDelay = 8;
const pace = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Llm {
  /** Every chat request, oldest first. */
  readonly requests: ChatRequest[] = [];
  private readonly queue: Reply[] = [];
  private release_: () => void = () => undefined;

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<Llm> {
    const server = createServer();
    const llm = new Llm(server);
    server.on("request", (request, response) => {
      llm.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return llm;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get left(): number {
    return this.queue.length;
  }

  /** Scripts the next replies. */
  will(...replies: (string | Reply)[]): void {
    this.queue.push(...replies.map((reply) => (typeof reply === "string" ? { text: reply } : reply)));
  }

  /** Continues a held stream. */
  release(): void {
    this.release_();
  }

  /** The whole prompt of the newest request as one text. */
  lastPrompt(): string {
    return this.prompt(-1);
  }

  /** The prompt of one request as one text. */
  prompt(index: number): string {
    const request = this.requests.at(index);
    if (request === undefined) throw new Error("the model was never asked");
    return request.messages.map((message) => contentText(message.content)).join("\n\n");
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith("/models")) {
      return json(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
    }
    const body = JSON.parse(await read(request)) as ChatRequest;
    this.requests.push(body);
    const reply = this.queue.shift();
    if (reply === undefined) return json(response, 500, { error: { message: "no reply is scripted" } });
    if (reply.error !== undefined) return json(response, reply.error, { error: { message: "scripted failure" } });
    const texts = typeof reply.text === "string" ? [reply.text] : reply.text;
    if (body.stream) return this.stream(response, texts, reply);
    json(response, 200, {
      id: "scripted",
      object: "chat.completion",
      choices: texts.map((content, index) => ({ index, message: { role: "assistant", content, ...toolCalls(reply.tool) }, finish_reason: "stop" })),
    });
  }

  private async stream(response: ServerResponse, texts: string[], { holdAfter, breakAfter, garbageAfter, tool }: Reply): Promise<void> {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    const gone = new Promise<void>((resolve) => response.on("close", resolve));
    const send = (index: number, content: string, more: object = {}): void => {
      const choice = { index, delta: { content, ...more }, finish_reason: null };
      response.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [choice] })}\n\n`);
    };
    // The host forwards the stream without a content type; the browser then buffers the first bytes to guess
    // it.
    response.write(`: ${"-".repeat(2048)}\n\n`);
    await pace(firstDelay);
    for (const [index, text] of texts.entries()) {
      const head = text.slice(0, holdAfter ?? breakAfter ?? garbageAfter);
      for (const piece of pieces(head)) {
        await pace(chunkDelay);
        send(index, piece);
      }
      if (breakAfter !== undefined) return void response.destroy();
      if (garbageAfter !== undefined) return void response.end("data: {no JSON\n\n");
      if (holdAfter === undefined) continue;
      // The host limits how often it draws and may miss the last piece: empty ones keep it drawing.
      const alive = setInterval(() => send(index, ""), 50);
      await Promise.race([gone, new Promise<void>((resolve) => (this.release_ = resolve))]);
      clearInterval(alive);
      if (response.destroyed) return;
      send(index, text.slice(holdAfter));
    }
    if (tool !== undefined) send(0, "", toolCalls(tool));
    response.end("data: [DONE]\n\n");
  }
}

function toolCalls(name: string | undefined): object {
  return name === undefined ? {} : { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: "{}" } }] };
}

function contentText(content: ChatMessage["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

/** Splits a text into small chunks as a model would send it, never inside a character. */
function pieces(text: string): string[] {
  const characters = Array.from(text);
  const list: string[] = [];
  for (let at = 0; at < characters.length; at += 7) list.push(characters.slice(at, at + 7).join(""));
  return list;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
