/** One question at a time: `ask` draws it and waits. The heading gets focus, for screen readers. */
import { type Child, element, icon, icons, listen } from './dom'
import type { Say } from './text'

export type Tone = 'plain' | 'good' | 'warn'
export type Glyph = keyof typeof icons

export type View = {
  /** In the window's header. */
  readonly title: string
  readonly body: readonly Child[]
  /** Default: the heading. */
  readonly focus?: HTMLElement
}

export type Screen = {
  show(view: View): void
  /** Resolves with the view's answer. */
  ask<T>(build: (answer: (value: T) => void) => View): Promise<T>
  /** To screen readers only. */
  announce(text: string): void
}

export function createScreen(
  root: HTMLElement,
  { say, subtitle }: { readonly say: Say; readonly subtitle: () => string },
): Screen {
  const status = element('p', { role: 'status', class: 'unseen' })
  const frame = element('div', { class: 'window' })
  root.replaceChildren(frame, status)

  function show({ title, body, focus }: View): void {
    const heading = element('h1', { tabindex: '-1' }, title)
    const whose = subtitle()
    const header = element('header', {}, heading, whose !== '' && element('p', { class: 'whose', title: whose }, whose))
    frame.replaceChildren(header, element('main', {}, ...body))
    document.title = `${title} · ${say('brand')}`
    const target = focus ?? heading
    target.focus()
  }

  return {
    show,
    ask: (build) =>
      new Promise((resolve) => {
        show(build(resolve))
      }),
    announce(text) {
      status.textContent = text
    },
  }
}

export function notice(given: {
  readonly glyph: Glyph
  readonly tone?: Tone
  readonly title?: string
  readonly text?: string
}): HTMLElement {
  const { glyph, tone = 'plain', title, text } = given
  return element(
    'section',
    { class: 'notice' },
    element('span', { class: 'glyph', 'data-tone': tone }, icon(...icons[glyph])),
    title !== undefined && element('h2', {}, title),
    text !== undefined && element('p', { class: 'text' }, text),
  )
}

export function warning(text: string): HTMLElement {
  return element('p', { class: 'warning' }, icon(...icons.caution), element('span', {}, text))
}

export function button(label: string, kind: 'primary' | 'secondary' | 'text', press: () => void): HTMLButtonElement {
  const node = element('button', { type: 'button', class: `button ${kind}` }, label)
  listen(node, 'click', press)
  return node
}

export function actions(...buttons: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: buttons.length > 1 ? 'actions pair' : 'actions' }, ...buttons)
}

export function working(say: Say, title: string, text?: string): View {
  const ring = element('div', { class: 'ring', role: 'progressbar', 'aria-label': say('working') })
  return {
    title,
    body: [element('section', { class: 'notice' }, ring, text !== undefined && element('p', { class: 'text' }, text))],
  }
}

/** `set`: 0 to 1. */
export function progressing(
  title: string,
  text: string,
): { readonly view: View; readonly set: (part: number) => void } {
  const bar = element('progress', { max: '1', value: '0', 'aria-label': title })
  const set = (part: number) => {
    bar.value = part
  }
  return {
    view: { title, body: [element('section', { class: 'notice' }, bar, element('p', { class: 'text' }, text))] },
    set,
  }
}

export type Field = {
  readonly node: HTMLElement
  readonly input: HTMLInputElement
  readonly complain: (text: string) => void
}

/** With a place for its error. */
export function field(label: string, attributes: Readonly<Record<string, string>>, ...after: readonly Child[]): Field {
  const id = `field-${crypto.randomUUID()}`
  const error = element('p', { id: `${id}-error`, class: 'error', role: 'alert' })
  const input = element('input', { id, 'aria-describedby': error.id, ...attributes })
  const complain = (text: string) => {
    error.textContent = text
    input.setAttribute('aria-invalid', String(text !== ''))
  }
  listen(input, 'input', () => complain(''))
  const box = element('div', { class: 'box' }, input, ...after)
  return { node: element('div', { class: 'field' }, element('label', { for: id }, label), box, error), input, complain }
}

/** Answers on submit, by button or Enter. */
export function form(
  submitLabel: string,
  submit: () => void,
  before: readonly Child[],
  beside: readonly HTMLElement[] = [],
): HTMLFormElement {
  const send = element('button', { type: 'submit', class: 'button primary' }, submitLabel)
  const node = element('form', { novalidate: true }, ...before, actions(...beside, send))
  listen(node, 'submit', (event) => {
    event.preventDefault()
    submit()
  })
  return node
}
