import { namespaces } from '@postern/protocol/namespaces'
import { emptySnapshot } from '../state/state'
import type { Postern, Snapshot } from '../types/index'
import { accountContent, type ButtonContent, type ContentOf, connectContent, networkContent } from './button-content'
import { noExtras } from './contract'
import { followInstance } from './instance'
import { buttonStyles } from './styles'

/** Interface of all three elements. */
export interface PosternButtonElement extends HTMLElement {
  /** Replaces “Connect wallet” or “Select network”. Reflects the attribute. */
  label: string | null
  /** Reflects the attribute. */
  disabled: boolean
}

/** Event of a click that failed. The page shows load failures on its own. */
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
 * Defines the three button elements, once per page: Connect, account and network.
 *
 * Attributes: `label` (replaces “Connect wallet” or “Select network”), `size` (`small`, `large`), `disabled`,
 * `namespace` (`eip155`, `solana` or `bip122`: shows only its account), `wallet` (connects straight to this wallet),
 * `name`, `avatar` and `balance` (show these of the account) and `project-id` (if the page has several instances).
 * Hover, touch and focus preload the modal, unless the option `prewarm` is `off`. Style the parts `button`, `text`,
 * `balance`, `dot` and `image`. A click that fails dispatches `postern-error`, with the error as `detail`.
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

/** Empty in jsdom, which has no constructed style sheets. */
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

  const part = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string): HTMLElementTagNameMap[Tag] => {
    const element = document.createElement(tag)
    element.setAttribute('part', name)
    return element
  }

  class PosternElement extends HTMLElement implements PosternButtonElement {
    static readonly observedAttributes = ['label', 'namespace', 'disabled', ...detailNames]
    readonly #button = part('button', 'button')
    readonly #mark = part('i', 'dot')
    readonly #image = part('img', 'image')
    readonly #text = part('span', 'text')
    readonly #balance = part('span', 'balance')
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
      this.#button.type = 'button'
      this.#button.ariaHasPopup = 'dialog'
      this.#image.alt = ''
      this.#button.append(this.#mark, this.#image, this.#text, this.#balance)
      root.append(this.#button)
      const prewarm = () => this.#postern?.prewarm()
      this.#button.addEventListener('pointerenter', prewarm)
      this.#button.addEventListener('focus', prewarm)
      this.#button.addEventListener('click', () => {
        const opened = this.#open().catch((detail: unknown) => {
          this.dispatchEvent(new CustomEvent('postern-error', { detail, bubbles: true, composed: true }))
        })
        // Responds to the click while the modal's code loads.
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

    /** Loads extras for a new account, network or language, and when the modal opens or closes. */
    async #ask({ locale: own, open }: Snapshot, account: ButtonContent['account']): Promise<void> {
      const locale = own ?? (document.documentElement.lang || navigator.language)
      const wanted = detailNames.filter((each) => account && this.hasAttribute(each))
      const asked = JSON.stringify([locale, wanted, account, open])
      if (asked === this.#asked) return
      this.#asked = asked
      if (this.#extras === noExtras && !wanted[0] && /^en\b/i.test(locale)) return
      const { readExtras } = await loadExtras()
      await readExtras({ postern: this.#postern, locale, wanted, account }, (extras) => {
        if (asked !== this.#asked) return
        this.#extras = { ...this.#extras, ...extras }
        this.#draw()
      })
    }

    #draw(): void {
      const snapshot: Snapshot = this.#postern?.getSnapshot() ?? emptySnapshot
      const { text, name, kind, busy, mark, view, hidden, balance, account } = contentOf(snapshot, {
        label: this.label,
        namespace: this.getAttribute('namespace'),
        ...this.#extras,
      })
      this.#ask(snapshot, account).catch(() => {
        // The next change loads the code again.
        this.#asked = ''
      })
      this.#view = view
      this.#canConnect = kind === 'primary'
      this.#text.textContent = text
      this.#balance.textContent = balance ?? ''
      for (const each of ['accent', 'radius', 'font'] as const)
        this.#button.style.setProperty(`--pt-${each}`, String(snapshot.theme?.[each] ?? ''))
      this.#button.dataset.theme = snapshot.themeMode
      this.#button.className = kind
      this.#button.hidden = hidden === true
      this.#button.disabled = this.#postern === undefined || this.disabled
      this.#button.ariaBusy = String(busy || this.#opening > 0)
      this.#button.title = name ?? ''
      this.#button.ariaLabel = name ?? null
      this.#mark.hidden = mark !== 'dot'
      this.#image.hidden = mark === undefined || mark === 'dot'
      if (mark !== undefined && mark !== 'dot') this.#image.src = mark.imageUrl
    }
  }
  customElements.define(name, PosternElement)
}
