/** The few words of DOM that the page is written in. */

/** The element with an id, of the kind it must be: a page without it is broken, and says so. */
export function byId<E extends Element>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`)
  return found
}

/** Makes an element with properties and children; text is text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}
