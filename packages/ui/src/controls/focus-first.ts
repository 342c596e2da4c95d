/** `ref` of a confirmation that replaces a button: focuses its first, safe button and scrolls to it. */
export function focusFirst(question: HTMLElement | null): void {
  question?.querySelector('button')?.focus({ preventScroll: true })
  question?.scrollIntoView({ block: 'nearest' })
}
