import { parseUrl } from '@postern/base/parse-url'
import { Hello, knock } from '@postern/protocol'

type PageWindow = Window & typeof globalThis

export type FrameOptions = {
  readonly window: PageWindow
  /** The page greets a frame of the modal. */
  readonly onHello: (port: MessagePort) => void
}

/**
 * Replaces the modal's iframe, which jsdom and happy-dom do not load. Returns an undo function.
 *
 * 1. Only frames of the modal are replaced: their address has `projectId` and `sv`.
 * 2. Each such frame knocks once the SDK listens, with its own window as the source and its own origin, and answers a
 *    hello that parses.
 * 3. What jsdom lacks for the modal's dialog is added: `showModal`, `close`, `adoptedStyleSheets`.
 * 4. happy-dom reports frames that it does not load and unknown sandbox flags. It gets an empty document, and the flags
 *    that it knows.
 */
export function standInForFrames({ window, onHello }: FrameOptions): () => void {
  const { prototype } = window.HTMLIFrameElement
  const src = Object.getOwnPropertyDescriptor(prototype, 'src')
  if (src?.set === undefined) throw new Error('scriptModal needs a document: use the environment jsdom or happy-dom.')
  const setSrc = src.set
  const isHappyDom = 'happyDOM' in window
  const restores = [addDialog(window), addStyleSheets(window)]
  if (isHappyDom) restores.push(dropUnknownFlags(window))
  let isRestored = false

  Object.defineProperty(prototype, 'src', {
    ...src,
    set(this: HTMLIFrameElement, value: string) {
      const origin = modalOrigin(value, window.location.href)
      if (origin === null) return Reflect.apply(setSrc, this, [value])
      const frameWindow = {
        postMessage(message: unknown, _: string, [port]: readonly MessagePort[]) {
          if (Hello.safeParse(message).success && port !== undefined) onHello(port)
        },
      }
      Object.defineProperty(this, 'contentWindow', { value: frameWindow, configurable: true })
      if (isHappyDom) this.setAttribute('srcdoc', '')
      window.queueMicrotask(() => {
        if (isRestored) return
        const event = new window.MessageEvent('message', { data: knock, origin })
        // The constructor takes only windows.
        Object.defineProperty(event, 'source', { value: frameWindow })
        window.dispatchEvent(event)
      })
    },
  })
  restores.push(() => Object.defineProperty(prototype, 'src', src))

  return () => {
    isRestored = true
    for (const restore of restores) restore()
  }
}

/** The modal's origin; null for another frame. */
function modalOrigin(address: string, base: string): string | null {
  const url = parseUrl(address, base)
  if (url === null) return null
  const { searchParams, origin } = url
  return searchParams.has('projectId') && searchParams.has('sv') ? origin : null
}

function addDialog({ HTMLDialogElement: { prototype } }: PageWindow): () => void {
  return add(prototype, {
    showModal: {
      value(this: HTMLDialogElement) {
        this.setAttribute('open', '')
      },
    },
    close: {
      value(this: HTMLDialogElement) {
        this.removeAttribute('open')
      },
    },
  })
}

function dropUnknownFlags({ HTMLIFrameElement: { prototype } }: PageWindow): () => void {
  const { setAttribute } = prototype
  prototype.setAttribute = function (name, value) {
    const known = name === 'sandbox' ? value.replace(/ ?allow-storage-access-by-user-activation/, '') : value
    Reflect.apply(setAttribute, this, [name, known])
  }
  return () => Reflect.deleteProperty(prototype, 'setAttribute')
}

function addStyleSheets({ document }: PageWindow): () => void {
  return add(document, { adoptedStyleSheets: { value: [], writable: true } })
}

/** Adds only missing properties. Returns a function that removes them. */
function add(object: object, properties: PropertyDescriptorMap): () => void {
  const missing = Object.keys(properties).filter((name) => !(name in object))
  for (const name of missing) Object.defineProperty(object, name, { ...properties[name], configurable: true })
  return () => {
    for (const name of missing) Reflect.deleteProperty(object, name)
  }
}
