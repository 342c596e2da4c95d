/** No markup: strings are set as text, so nothing can be injected. */

export type Child = Node | string | null | false
type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** `true`: without a value; `false`, `undefined`: omitted. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name)
  write(node, attributes)
  node.append(...children.filter((child) => child !== null && child !== false))
  return node
}

const svgNamespace = 'http://www.w3.org/2000/svg'

/** The modal's icon style: 20 px grid, 1.75 px round strokes. Hidden from screen readers. */
export function icon(...paths: readonly string[]): SVGSVGElement {
  const drawing = document.createElementNS(svgNamespace, 'svg')
  write(drawing, { viewBox: '0 0 20 20', class: 'icon', 'aria-hidden': 'true' })
  for (const d of paths) {
    const path = document.createElementNS(svgNamespace, 'path')
    write(path, { d })
    drawing.append(path)
  }
  return drawing
}

function write(node: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    node.setAttribute(name, value === true ? '' : value)
  }
}

/** Returns the unsubscribe function. */
export function listen<K extends keyof HTMLElementEventMap>(
  node: HTMLElement,
  name: K,
  listener: (event: HTMLElementEventMap[K]) => void,
): () => void {
  node.addEventListener(name, listener)
  return () => node.removeEventListener(name, listener)
}

export const icons = {
  caution: [
    'M8.6 4.1 2.9 13.8a1.6 1.6 0 0 0 1.4 2.45h11.4a1.6 1.6 0 0 0 1.4-2.45L11.4 4.1a1.62 1.62 0 0 0-2.8 0Z',
    'M10 8v3M10 13.6v.01',
  ],
  tick: ['m4.5 10.5 3.75 3.75 7.25-8'],
  key: ['M12.75 11.25a4 4 0 1 0-3.6-2.25L3.5 14.65v2.1h2.4v-1.9h1.9v-1.9h1.75l.9-.9a4 4 0 0 0 2.3.2Z', 'M13.6 6.4v.01'],
  shield: ['M10 2.75 4 5v4.5c0 3.7 2.5 6.4 6 7.75 3.5-1.35 6-4.05 6-7.75V5Z'],
  device: ['M4 4.25h12v8.5H4ZM2.5 15.75h15'],
  words: ['M4 5.5h12M4 10h7.5M4 14.5h10'],
} as const
