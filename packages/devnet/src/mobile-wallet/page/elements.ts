export type Child = Node | string
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

export const button = (text: string, onclick: () => void, className = '') =>
  element('button', { type: 'button', className, onclick }, text)

export function checkbox(text: string, checked: boolean, set: (yes: boolean) => void) {
  const box = element('input', { type: 'checkbox', checked, onchange: () => set(box.checked) })
  return element('label', {}, box, text)
}
