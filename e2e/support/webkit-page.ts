/** A window of WebKit and the frames in it. */
import * as z from 'zod/mini'
import { expect } from './expect'
import { type Driver, DriverError, Element, idOf } from './webkit-driver'

export type Role = 'button' | 'textbox' | 'dialog' | 'main' | 'frame'

/** Runs in the page, also inside open shadow trees. A frame's name is its address. Of several, the last one. */
function findElement(role: Role, pattern: string): globalThis.Element | null {
  const selectors = {
    button: 'button, [role="button"]',
    textbox: 'input, textarea',
    dialog: 'dialog, [role="dialog"]',
    main: 'main',
    frame: 'iframe',
  }
  const textOf = (element: globalThis.Element | null | undefined) =>
    (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
  const named = new RegExp(pattern)
  const within = (root: Document | ShadowRoot): globalThis.Element[] =>
    [...root.querySelectorAll('*')].flatMap((element) =>
      element.shadowRoot === null ? [element] : [element, ...within(element.shadowRoot)],
    )
  const nameOf = (element: globalThis.Element) => {
    if (element instanceof HTMLIFrameElement) return element.src
    const labelled = element.getAttribute('aria-labelledby')
    if (labelled !== null) return textOf(element.ownerDocument.getElementById(labelled))
    const label = element.getAttribute('aria-label')
    if (label !== null) return label
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      return textOf(element.labels?.[0]) || element.placeholder
    return textOf(element)
  }
  const isUsable = (element: globalThis.Element) => {
    if (element instanceof HTMLIFrameElement) return true
    const { width, height } = element.getBoundingClientRect()
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    return (
      isShown &&
      width > 0 &&
      height > 0 &&
      !element.matches(':disabled, [aria-disabled="true"]') &&
      element.closest('[inert]') === null
    )
  }
  return (
    within(document).findLast(
      (element) => element.matches(selectors[role]) && named.test(nameOf(element)) && isUsable(element),
    ) ?? null
  )
}

function scrollTo(element: globalThis.Element): null {
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return null
}

/** Runs in the page, before the click. */
function awaitClick(element: globalThis.Element): null {
  const clicked = new Promise<boolean>((resolve) => {
    element.addEventListener('click', () => resolve(true), { once: true, capture: true })
  })
  Reflect.set(window, 'clicked', clicked)
  return null
}

/** Runs in the page, after the click. A page that is gone has taken it. */
function untilClicked(): Promise<boolean> {
  const clicked: unknown = Reflect.get(window, 'clicked')
  // real time: a click that the page never saw
  const isLost = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 3_000))
  return clicked instanceof Promise ? Promise.race([clicked, isLost]) : Promise.resolve(true)
}

/** An element that was redrawn, is not in place yet, or is still covered: look for it again. */
const isEarly = (error: unknown) =>
  error instanceof DriverError &&
  [
    'stale element reference',
    'no such element',
    'no such frame',
    'element not interactable',
    'element click intercepted',
    'javascript error',
  ].includes(error.code)

export class WebKitPage {
  constructor(
    private readonly driver: Driver,
    readonly handle: string,
    /** Addresses of the frames from the window's document to this one. */
    private readonly frames: readonly RegExp[] = [],
  ) {}

  static async current(driver: Driver): Promise<WebKitPage> {
    return new WebKitPage(driver, z.string().parse(await driver.send('GET', 'window')))
  }

  frame(address: RegExp): WebKitPage {
    return new WebKitPage(this.driver, this.handle, [...this.frames, address])
  }

  get modal(): WebKitPage {
    return this.frame(/\/\/modal\.postern\.localhost/)
  }

  get wallet(): WebKitPage {
    return this.modal.frame(/\/\/wallet\.postern\./)
  }

  async goto(url: string): Promise<void> {
    await this.driver.send('POST', 'window', { handle: this.handle })
    await this.driver.send('POST', 'url', { url })
  }

  async reload(): Promise<void> {
    await this.driver.send('POST', 'window', { handle: this.handle })
    await this.driver.send('POST', 'refresh', {})
  }

  async close(): Promise<void> {
    await this.driver.send('POST', 'window', { handle: this.handle })
    await this.driver.send('DELETE', 'window')
  }

  async handles(): Promise<string[]> {
    return z.array(z.string()).parse(await this.driver.send('GET', 'window/handles'))
  }

  async newTab(): Promise<WebKitPage> {
    const opened = await this.driver.send('POST', 'window/new', { type: 'tab' })
    return new WebKitPage(this.driver, z.object({ handle: z.string() }).parse(opened).handle)
  }

  /** The window that `act` opens. */
  async popup(act: () => Promise<unknown>): Promise<WebKitPage> {
    const before = await this.handles()
    await act()
    let opened: string | undefined
    await expect
      .poll(async () => {
        opened = (await this.handles()).find((handle) => !before.includes(handle))
        return opened !== undefined
      })
      .toBe(true)
    return new WebKitPage(this.driver, opened ?? '')
  }

  async isClosed(): Promise<boolean> {
    return !(await this.handles()).includes(this.handle)
  }

  /** Calls a function in the page. It takes JSON, and may return a promise of JSON. */
  async run<R, A extends readonly unknown[]>(
    result: z.ZodMiniType<R>,
    work: (...args: A) => unknown,
    ...args: A
  ): Promise<R> {
    await this.enter()
    return this.execute(result, work, args)
  }

  /**
   * Polls until the element is there and usable, and a click has arrived at it: WebKit loses a click on what it has not
   * drawn yet. `name` is a pattern of the whole name or a part of it.
   */
  async press(name: RegExp, role: Role = 'button'): Promise<void> {
    await this.use(role, name, async (element) => {
      // The driver itself does not scroll the card.
      await this.execute(z.null(), scrollTo, [element])
      await this.execute(z.null(), awaitClick, [element])
      await this.driver.send('POST', `element/${idOf(element)}/click`, {})
      if (!(await this.hasClickArrived())) throw new DriverError('element not interactable', 'The click was lost.')
    })
  }

  /** A click may close the window or the frame. */
  private async hasClickArrived(): Promise<boolean> {
    try {
      return await this.execute(z.boolean(), untilClicked, [])
    } catch (error) {
      if (error instanceof DriverError) return true
      throw error
    }
  }

  /** The window's document, as a user with a wheel does: Approve waits until everything was seen. */
  async scrollToEnd(): Promise<void> {
    await this.run(z.null(), () => {
      window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })
      return null
    })
  }

  /** Replaces the text of a field by keys. */
  async type(name: RegExp, text: string): Promise<void> {
    await this.press(name, 'textbox')
    await this.keys([...text])
  }

  /** To the element with the focus. `with` is held down. */
  async keys(keys: readonly string[], held?: string): Promise<void> {
    const strokes = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    const actions =
      held === undefined ? strokes : [{ type: 'keyDown', value: held }, ...strokes, { type: 'keyUp', value: held }]
    await this.driver.send('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }

  async has(role: Role, name: RegExp): Promise<boolean> {
    try {
      await this.enter()
      return (await this.find(role, name)) !== null
    } catch (error) {
      if (isEarly(error)) return false
      throw error
    }
  }

  async text(): Promise<string> {
    try {
      return await this.run(z.string(), () => document.body.textContent ?? '')
    } catch (error) {
      if (isEarly(error)) return ''
      throw error
    }
  }

  private async enter(): Promise<void> {
    await this.driver.send('POST', 'window', { handle: this.handle })
    await this.driver.send('POST', 'frame', { id: null })
    for (const address of this.frames) {
      const element = await this.find('frame', address)
      if (element === null) throw new DriverError('no such frame', String(address))
      await this.driver.send('POST', 'frame', { id: element })
    }
  }

  private find(role: Role, name: RegExp): Promise<Element | null> {
    return this.execute(z.nullable(Element), findElement, [role, name.source])
  }

  private async execute<R>(
    result: z.ZodMiniType<R>,
    work: (...args: never[]) => unknown,
    args: readonly unknown[],
  ): Promise<R> {
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve().then(() => (${work.toString()})(...[...arguments].slice(0, -1))).then(
        (value) => done({ value: value ?? null }),
        (error) => done({ failure: String(error) }),
      )`
    const Answer = z.union([z.object({ failure: z.string() }), z.object({ value: z.unknown() })])
    const answer = Answer.parse(await this.driver.send('POST', 'execute/async', { script, args }))
    if ('failure' in answer) throw new Error(answer.failure)
    return result.parse(answer.value)
  }

  private async use(role: Role, name: RegExp, act: (element: Element) => Promise<void>): Promise<void> {
    const attempt = async () => {
      try {
        await this.enter()
        const element = await this.find(role, name)
        if (element === null) return `no ${role} ${name}`
        await act(element)
        return 'done'
      } catch (error) {
        if (isEarly(error)) return `${role} ${name}: ${String(error)}`
        throw error
      }
    }
    await expect.poll(attempt, { timeout: 30_000 }).toBe('done')
  }
}
