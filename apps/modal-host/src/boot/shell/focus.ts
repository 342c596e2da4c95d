/** While open: the frame fills the viewport, and the page behind it is inert. */

const focusable =
  'a[href], button:not([disabled], [tabindex="-1"]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'

export function tabStops(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(focusable)].filter((element) => element.closest('[inert]') === null)
}

/** Null: the browser's default. */
export function loopTarget(root: ParentNode, active: Element | null, backwards: boolean): HTMLElement | null {
  const stops = tabStops(root)
  const first = stops[0]
  const last = stops.at(-1)
  if (first === undefined || last === undefined) return null
  const inside = active !== null && active !== root && root.contains(active)
  if (!inside) return backwards ? last : first
  if (backwards) return active === first || stops.every((stop) => isBefore(active, stop)) ? last : null
  return active === last ? first : null
}

function isBefore(element: Element, other: Element): boolean {
  return (element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

/** Focuses the search field, else the heading. Not the field on a phone, whose keyboard would cover the list. */
export function focusView(card: ParentNode | null): void {
  const first = matchMedia('(pointer: coarse)').matches ? null : card?.querySelector<HTMLElement>('[data-first]')
  const target = first ?? card?.querySelector<HTMLElement>('h1')
  target?.focus({ preventScroll: true })
}
