// Names of other systems that existing cards and scripts use. They are offered while the open story has the
// profile of that system and we keep its state, and removed when the chat is left.
import type { Host } from '../host/host';
import type { Json } from '../logic/json';
import type { ChatMessage } from '../logic/message';
import type { Acked, StateAt } from '../logic/plan';
import { type MvuStory, Mvu } from './mvu';
import { Sam } from './sam';

export class Foreign {
  private readonly mvu: Mvu;
  private readonly sam: Sam;
  private active: 'mvu' | 'sam' | null = null;

  /** `shownState` is the state that prompts see. */
  constructor(host: Host, story: MvuStory, shownState: () => Json | null) {
    this.mvu = new Mvu(host, story, shownState);
    this.sam = new Sam(host, shownState);
  }

  /** A chat of this profile is open. */
  offer(profile: string): void {
    const wanted = profile === 'mvu' ? 'mvu' : profile.startsWith('sam') ? 'sam' : null;
    if (wanted === this.active) return;
    this.withdraw();
    this.active = wanted;
    if (wanted === 'mvu') this.mvu.offer();
    if (wanted === 'sam') this.sam.offer();
  }

  withdraw(): void {
    if (this.active === 'mvu') this.mvu.withdraw();
    if (this.active === 'sam') this.sam.withdraw();
    this.active = null;
  }

  /** Passes on the state that prompts see now. */
  shown(state: StateAt): void {
    if (this.active === 'sam') this.sam.shown(state);
  }

  /** The engine acknowledged the chat. */
  acknowledged(acked: Acked): void {
    if (this.active === 'mvu') this.mvu.acknowledged(acked);
    if (this.active === 'sam') this.sam.acknowledged(acked);
  }

  /** A reply arrived, before it is bound. Tells whether its text was changed. */
  received(message: ChatMessage | undefined): boolean {
    return this.active === 'mvu' && message !== undefined && this.mvu.received(message);
  }

  /** The messages of a prompt, which are copies for the prompt. */
  prompt(chat: ChatMessage[]): void {
    if (this.active === 'mvu') this.mvu.prompt(chat);
  }
}
