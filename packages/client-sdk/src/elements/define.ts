import { emptySnapshot } from '../state'
import type { Postern, Snapshot } from '../types'
import { accountContent, type ButtonContent, type ContentOf, connectContent, networkContent } from './button-content'
import { followInstance } from './instance'
import { buttonStyles } from './styles'

/** Of all three elements. */
export interface PosternButtonElement extends HTMLElement {
  /** Replaces “Connect wallet” or “Select network”; the attribute of the same name. */
  label: string | null
}

declare global {
  interface HTMLElementTagNameMap {
    'postern-button': PosternButtonElement
    'postern-account-button': PosternButtonElement
    'postern-network-button': PosternButtonElement
  }
}

/**
 * Defines `<postern-button>`, `<postern-account-button>` and `<postern-network-button>`, once per page.
 *
 * Attributes: `label` (replaces “Connect wallet” or “Select network”), `project-id` (with several instances). Hover and
 * focus preload the modal. Style the part `button`.
 */
export function defineElements(window: Window & typeof globalThis): void {
  let sheets: CSSStyleSheet[] | undefined
  /** Shared, and only created if used. */
  const sheet = () => (sheets ??= createSheets(window))
  define(window, 'postern-button', connectContent, sheet)
  define(window, 'postern-account-button', accountContent, sheet)
  define(window, 'postern-network-button', networkContent, sheet)
}

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
    static readonly observedAttributes = ['label']
    readonly #button = document.createElement('button')
    readonly #mark = document.createElement('i')
    readonly #image = document.createElement('img')
    readonly #text = document.createElement('span')
    readonly #darkScheme = media.matchMedia?.('(prefers-color-scheme: dark)')
    #postern: Postern | undefined
    #opening = 0
    #view: ButtonContent['view']
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
      this.#button.append(this.#mark, this.#image, this.#text)
      root.append(this.#button)
      const prewarm = () => this.#postern?.prewarm()
      this.#button.addEventListener('pointerenter', prewarm)
      this.#button.addEventListener('focus', prewarm)
      this.#button.addEventListener('click', () => {
        // The instance shows failures itself.
        const opened = this.#postern?.open(this.#view === undefined ? {} : { view: this.#view }).catch(() => {})
        // Respond to the click while the modal's code loads.
        this.#opening++
        this.#draw()
        opened?.finally(() => {
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
      const { text, name, kind, busy, mark, view, hidden } = contentOf(snapshot, this.label)
      const dark = snapshot.phase === 'idle' ? this.#darkScheme?.matches === true : snapshot.themeMode === 'dark'
      this.#view = view
      this.#text.textContent = text
      this.#button.dataset.theme = dark ? 'dark' : 'light'
      this.#button.className = kind
      this.#button.hidden = hidden === true
      this.#button.disabled = this.#postern === undefined
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
