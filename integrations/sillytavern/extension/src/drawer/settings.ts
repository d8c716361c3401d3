// The user's choices about what is shown in the host. Invalid values count as not chosen.
import type { Host } from '../host/host';

const CHOICES = {
  statusBar: ['changes', 'pinned', 'off'],
  topIcon: ['auto', 'always', 'never'],
  foldCalls: [false, true],
  schemaMacro: [false, true],
} as const;

export type DisplayName = keyof typeof CHOICES;

export class DisplaySettings {
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly host: Host) {}

  get statusBar(): (typeof CHOICES.statusBar)[number] {
    return this.read('statusBar');
  }

  get topIcon(): (typeof CHOICES.topIcon)[number] {
    return this.read('topIcon');
  }

  get foldCalls(): boolean {
    return this.read('foldCalls');
  }

  get schemaMacro(): boolean {
    return this.read('schemaMacro');
  }

  /** Returns a setting by its name; undefined if there is none of that name. */
  get(name: string): boolean | string | undefined {
    return isName(name) ? this.read(name) : undefined;
  }

  set(name: string, value: boolean | string): void {
    if (!isName(name) || !CHOICES[name].some((choice) => choice === value)) return;
    this.host.settings()[name] = value;
    this.host.saveSettings();
    this.tell();
  }

  /** Something that is shown by these settings has changed. */
  tell(): void {
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private read<N extends DisplayName>(name: N): (typeof CHOICES)[N][number] {
    const stored = this.host.settings()[name];
    const choices: readonly (boolean | string)[] = CHOICES[name];
    return (choices.includes(stored as string) ? stored : choices[0]) as (typeof CHOICES)[N][number];
  }
}

function isName(name: string): name is DisplayName {
  return Object.hasOwn(CHOICES, name);
}
