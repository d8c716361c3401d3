// Messages about what was just done, each with a way back. Repeated actions of one kind become one message.
// A message goes after a while, but not while someone is reading it.
export interface Done {
  /** Actions of the same kind collapse into one message. */
  kind: string;
  text: (count: number) => string;
  /** How many things it was done to; 1 unless told. */
  amount?: number;
  /** Absent: there is nothing to take back. */
  undo?: () => Promise<void> | void;
  /** What the button says; absent: that it takes something back. */
  action?: string;
}

export interface Toast {
  id: number;
  kind: string;
  count: number;
  text: string;
  /** Newest first: they are taken back in this order. */
  undos: (() => Promise<void> | void)[];
  action: string | null;
}

export const SHOWN_MS = 8000;

type Timer = ReturnType<typeof setTimeout>;

export class Toasts {
  shown = $state.raw<Toast[]>([]);
  #next = 1;
  #timers = new Map<number, Timer>();
  #held = new Set<number>();

  show({ kind, text, amount = 1, undo, action }: Done): void {
    const before = this.shown.find((toast) => toast.kind === kind);
    const count = (before?.count ?? 0) + amount;
    const undos = [...(undo ? [undo] : []), ...(before?.undos ?? [])];
    const toast = { id: before?.id ?? this.#next++, kind, count, text: text(count), undos, action: action ?? null };
    this.shown = before ? this.shown.map((other) => (other === before ? toast : other)) : [...this.shown, toast];
    this.#start(toast.id);
  }

  /** Stops the clock while the pointer or the focus is in the message. */
  hold(id: number, held: boolean): void {
    if (held) {
      this.#held.add(id);
      this.#stop(id);
    } else if (this.#held.delete(id)) this.#start(id);
  }

  close(id: number): void {
    this.#stop(id);
    this.#held.delete(id);
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** Takes back everything that the message stands for, the newest first. */
  async undo(id: number): Promise<void> {
    const toast = this.shown.find((other) => other.id === id);
    this.close(id);
    for (const undo of toast?.undos ?? []) await undo();
  }

  #start(id: number): void {
    this.#stop(id);
    if (!this.#held.has(id) && this.shown.some((toast) => toast.id === id)) {
      this.#timers.set(id, setTimeout(() => this.close(id), SHOWN_MS));
    }
  }

  #stop(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
