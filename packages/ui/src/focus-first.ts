/** As `ref` of a question that came under a button: the safe answer, which stands first, takes the focus that the button had, and all of the question is seen. */
export function focusFirst(question: HTMLElement | null): void {
  question?.querySelector('button')?.focus({ preventScroll: true })
  question?.scrollIntoView({ block: 'nearest' })
}
