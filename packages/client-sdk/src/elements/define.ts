import { namespaces } from '@postern/protocol/namespaces'
import { emptySnapshot } from '../state/state'
import type { Postern, Snapshot } from '../types/index'
import { accountContent, type ButtonContent, type ContentOf, connectContent, networkContent } from './button-content'
import { noExtras } from './contract'
import { followInstance } from './instance'
import { buttonStyles } from './styles'

export interface PosternButtonElement extends HTMLElement {
  /** Reflects the attribute. */
  label: string | null
  disabled: boolean
}

export type PosternErrorEvent = CustomEvent<unknown>

declare global {
  interface HTMLElementTagNameMap {
    'postern-button': PosternButtonElement
    'postern-account-button': PosternButtonElement
    'postern-network-button': PosternButtonElement
  }
  interface HTMLElementEventMap {
    'postern-error': PosternErrorEvent
  }
}

/**
 * Defines the three button elements, once per page.
 * Attributes: `label`, `size` (`small`, `large`), `disabled`, `namespace` (shows only its account), `wallet` (connects
 * straight to it), `name`, `avatar` and `balance` (show these of the account) and `project-id` (with several
 * instances). Parts: `button`, `text`, `balance`, `dot` and `image`. A click that fails dispatches `postern-error`,
 * with the error as `detail`.
 */
export function defineElementsWith(
  window: Window & typeof globalThis,
  loadExtras: () => Promise<typeof import('./extras')>,
): void {
  let sheets: CSSStyleSheet[] | undefined
  const sheet = () => (sheets ??= createSheets(window))
  define(window, 'postern-button', connectContent, sheet, loadExtras)
  define(window, 'postern-account-button', accountContent, sheet, loadExtras)
  define(window, 'postern-network-button', networkContent, sheet, loadExtras)
}

const detailNames = ['name', 'avatar', 'balance'] as const

/** jsdom has no constructed style sheets. */
function createSheets({ CSSStyleSheet }: Window & typeof globalThis): CSSStyleSheet[] {
  if (!('replaceSync' in CSSStyleSheet.prototype)) return []
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(buttonStyles)
  return [sheet]
}

function define(
  window: Window & typeof globalThis,
  name: string,
  contentOf: ContentOf,
  sheets: () => CSSStyleSheet[],
  loadExtras: () => Promise<typeof import('./extras')>,
): void {
  const { customElements, document, HTMLElement, navigator } = window
  if (customElements.get(name) !== undefined) return

  class PosternElement extends HTMLElement implements PosternButtonElement {
    static readonly observedAttributes = ['label', 'namespace', 'disabled', ...detailNames]
    readonly #parts = createParts(document)
    #postern: Postern | undefined
    #opening = 0
    #view: ButtonContent['view']
    #canConnect = false
    #extras = noExtras
    #asked = ''
    #stop = () => {}
    #unsubscribe = () => {}

    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
      root.adoptedStyleSheets = sheets()
      const { button } = this.#parts
      root.append(button)
      const prewarm = () => this.#postern?.prewarm()
      button.addEventListener('pointerenter', prewarm)
      button.addEventListener('focus', prewarm)
      button.addEventListener('click', () => {
        const opened = this.#open().catch((detail: unknown) => {
          this.dispatchEvent(new CustomEvent('postern-error', { detail, bubbles: true, composed: true }))
        })
        this.#opening++
        this.#draw()
        opened.finally(() => {
          this.#opening--
          this.#draw()
        })
      })
    }

    get label(): string | null {
      return this.getAttribute('label')
    }

    set label(label: string | null) {
      if (label === null) this.removeAttribute('label')
      else this.setAttribute('label', label)
    }

    get disabled(): boolean {
      return this.hasAttribute('disabled')
    }

    set disabled(disabled: boolean) {
      this.toggleAttribute('disabled', disabled)
    }

    async #open(): Promise<void> {
      const namespace = namespaces.find((each) => each === this.getAttribute('namespace'))
      const wallet = this.getAttribute('wallet')
      if (wallet !== null && this.#canConnect) await this.#postern?.connect({ wallet, namespace })
      else await this.#postern?.open({ view: this.#view, namespace })
    }

    connectedCallback(): void {
      const draw = () => this.#draw()
      const stopFollowing = followInstance(
        window,
        () => this.getAttribute('project-id'),
        (postern) => {
          this.#unsubscribe()
          this.#postern = postern
          this.#unsubscribe = postern?.subscribe(draw) ?? (() => {})
          draw()
        },
      )
      this.#stop = () => {
        stopFollowing()
        this.#unsubscribe()
        this.#postern = undefined
      }
      draw()
    }

    disconnectedCallback(): void {
      this.#stop()
    }

    /** In a Picture-in-Picture window: a style sheet belongs to the document that constructed it. */
    adoptedCallback(): void {
      const { defaultView } = this.ownerDocument
      if (this.shadowRoot && defaultView) this.shadowRoot.adoptedStyleSheets = createSheets(defaultView)
    }

    attributeChangedCallback(): void {
      this.#draw()
    }

    async #ask({ locale: own, open }: Snapshot, account: ButtonContent['account']): Promise<void> {
      const locale = own ?? (document.documentElement.lang || navigator.language)
      const wanted = detailNames.filter((each) => account && this.hasAttribute(each))
      const requestKey = JSON.stringify([locale, wanted, account, open])
      if (requestKey === this.#asked) return
      this.#asked = requestKey
      if (this.#extras === noExtras && !wanted[0] && /^en\b/i.test(locale)) return
      const { readExtras } = await loadExtras()
      await readExtras({ postern: this.#postern, locale, wanted, account }, (extras) => {
        if (requestKey !== this.#asked) return
        this.#extras = { ...this.#extras, ...extras }
        this.#draw()
      })
    }

    #draw(): void {
      const snapshot: Snapshot = this.#postern?.getSnapshot() ?? emptySnapshot
      const content = contentOf(snapshot, {
        label: this.label,
        namespace: this.getAttribute('namespace'),
        ...this.#extras,
      })
      this.#ask(snapshot, content.account).catch(() => {
        // The next change retries.
        this.#asked = ''
      })
      this.#view = content.view
      this.#canConnect = content.kind === 'primary'
      drawParts(this.#parts, content, snapshot)
      this.#parts.button.disabled = this.#postern === undefined || this.disabled
      this.#parts.button.ariaBusy = String(content.busy || this.#opening > 0)
    }
  }
  customElements.define(name, PosternElement)
}

type Parts = ReturnType<typeof createParts>

function createParts(document: Document) {
  const part = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string): HTMLElementTagNameMap[Tag] => {
    const element = document.createElement(tag)
    element.setAttribute('part', name)
    return element
  }
  const button = part('button', 'button')
  const mark = part('i', 'dot')
  const image = part('img', 'image')
  const text = part('span', 'text')
  const balance = part('span', 'balance')
  button.type = 'button'
  button.ariaHasPopup = 'dialog'
  image.alt = ''
  button.append(mark, image, text, balance)
  return { button, mark, image, text, balance }
}

function drawParts({ button, mark, image, text, balance }: Parts, content: ButtonContent, snapshot: Snapshot): void {
  text.textContent = content.text
  balance.textContent = content.balance ?? ''
  for (const each of ['accent', 'radius', 'font'] as const)
    button.style.setProperty(`--pt-${each}`, String(snapshot.theme?.[each] ?? ''))
  button.dataset.theme = snapshot.themeMode
  button.className = content.kind
  button.hidden = content.hidden === true
  button.title = content.name ?? ''
  button.ariaLabel = content.name ?? null
  mark.hidden = content.mark !== 'dot'
  image.hidden = content.mark === undefined || content.mark === 'dot'
  if (content.mark !== undefined && content.mark !== 'dot') image.src = content.mark.imageUrl
}
