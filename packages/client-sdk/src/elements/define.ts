import { emptySnapshot } from '../state'
import type { Postern, Snapshot } from '../types'
import { accountContent, type ButtonContent, type ContentOf, connectContent, networkContent } from './button-content'
import { followInstance } from './instance'
import { buttonStyles } from './styles'

/** Of all three elements. */
export interface PosternButtonElement extends HTMLElement {
  /** Replaces “Connect wallet” or “Select network”; the attribute of the same name. */
  label: string | null
  /** The attribute of the same name. */
  disabled: boolean
}

/** What went wrong after a click; the page shows failures to load itself. */
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
 * Defines `<postern-button>`, `<postern-account-button>` and `<postern-network-button>`, once per page.
 *
 * Attributes: `label` (replaces “Connect wallet” or “Select network”), `size` (`small`, `large`), `disabled`, `namespace`
 * (`eip155`, `solana`, `bip122`: its account alone), `wallet` (connects straight to this wallet) and `project-id` (with
 * several instances). Hover, touch and focus preload the modal, unless the option `prewarm` is `off`. Style the parts
 * `button`, `text`, `dot` and `image`. A click that fails dispatches `postern-error`, with the error as `detail`.
 */
export function defineElements(window: Window & typeof globalThis): void {
  let sheets: CSSStyleSheet[] | undefined
  /** Shared, and only created if used. */
  const sheet = () => (sheets ??= createSheets(window))
  define(window, 'postern-button', connectContent, sheet)
  define(window, 'postern-account-button', accountContent, sheet)
  define(window, 'postern-network-button', networkContent, sheet)
}

const namespaces = ['eip155', 'solana', 'bip122'] as const

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
): void {
  const { customElements, document, HTMLElement } = window
  // jsdom has none.
  const media: Partial<Pick<Window, 'matchMedia'>> = window
  if (customElements.get(name) !== undefined) return

  class PosternElement extends HTMLElement implements PosternButtonElement {
    static readonly observedAttributes = ['label', 'namespace', 'disabled']
    readonly #button = document.createElement('button')
    readonly #mark = document.createElement('i')
    readonly #image = document.createElement('img')
    readonly #text = document.createElement('span')
    readonly #darkScheme = media.matchMedia?.('(prefers-color-scheme: dark)')
    #postern: Postern | undefined
    #opening = 0
    #view: ButtonContent['view']
    #canConnect = false
    #stop = () => {}
    #unsubscribe = () => {}

    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
      root.adoptedStyleSheets = sheets()
      this.#button.type = 'button'
      this.#button.setAttribute('part', 'button')
      this.#button.setAttribute('aria-haspopup', 'dialog')
      this.#image.alt = ''
      this.#image.setAttribute('part', 'image')
      this.#mark.setAttribute('part', 'dot')
      this.#text.setAttribute('part', 'text')
      this.#button.append(this.#mark, this.#image, this.#text)
      root.append(this.#button)
      const prewarm = () => this.#postern?.prewarm()
      this.#button.addEventListener('pointerenter', prewarm)
      this.#button.addEventListener('focus', prewarm)
      this.#button.addEventListener('click', () => {
        const opened = this.#open().catch((detail: unknown) => {
          this.dispatchEvent(new CustomEvent('postern-error', { detail, bubbles: true, composed: true }))
        })
        // Respond to the click while the modal's code loads.
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
      this.#darkScheme?.addEventListener('change', draw)
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
        this.#darkScheme?.removeEventListener('change', draw)
        this.#unsubscribe()
        this.#postern = undefined
      }
      draw()
    }

    disconnectedCallback(): void {
      this.#stop()
    }

    attributeChangedCallback(): void {
      this.#draw()
    }

    #draw(): void {
      const snapshot: Snapshot = this.#postern?.getSnapshot() ?? emptySnapshot
      const { text, name, kind, busy, mark, view, hidden } = contentOf(
        snapshot,
        this.label,
        this.getAttribute('namespace'),
      )
      const dark = snapshot.phase === 'idle' ? this.#darkScheme?.matches === true : snapshot.themeMode === 'dark'
      this.#view = view
      this.#canConnect = kind === 'primary'
      this.#text.textContent = text
      this.#button.dataset.theme = dark ? 'dark' : 'light'
      this.#button.className = kind
      this.#button.hidden = hidden === true
      this.#button.disabled = this.#postern === undefined || this.disabled
      this.#button.setAttribute('aria-busy', String(busy || this.#opening > 0))
      this.#button.title = name ?? ''
      if (name === undefined) this.#button.removeAttribute('aria-label')
      else this.#button.setAttribute('aria-label', name)
      this.#mark.hidden = mark !== 'dot'
      this.#image.hidden = mark === undefined || mark === 'dot'
      if (mark !== undefined && mark !== 'dot') this.#image.src = mark.imageUrl
    }
  }
  customElements.define(name, PosternElement)
}
