/** One command of a menu. */
export interface MenuItem {
  label: string;
  does: () => void;
  disabled?: boolean;
  hint?: string;
}
