import type { FrameExit } from '@postern/protocol'

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), summary'

/** Null if focus stays. */
export function frameExit(
  root: HTMLElement,
  { key, shiftKey, isComposing }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'isComposing'>,
): FrameExit | null {
  if (key === 'Escape' && !isComposing) return 'escape'
  if (key !== 'Tab') return null
  const stops = [...root.querySelectorAll<HTMLElement>(focusable)]
  const active = root.ownerDocument.activeElement
  const at = active instanceof HTMLElement ? stops.indexOf(active) : -1
  if (shiftKey) return at <= 0 ? 'backwards' : null
  return stops.length === 0 || at === stops.length - 1 ? 'forwards' : null
}
