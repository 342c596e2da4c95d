import { Theme, type ThemeSync } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Drawing, Look } from '../../approval/drawing'

export type LazyDrawing = Pick<Drawing, 'draw' | 'end'> & {
  /** Again after a failure. @throws {Failure} LOAD_FAILED */
  load(): Promise<void>
  setLook(look: ThemeSync): void
}

export function createLazyDrawing(loadDrawing: () => Promise<Drawing>): LazyDrawing {
  let drawing: Drawing | null = null
  let loading: Promise<void> | null = null
  let look: Look = { mode: 'light', theme: {}, locale: 'en' }

  async function load(): Promise<void> {
    const loaded = await loadDrawing()
    await loaded.setLook(look)
    drawing = loaded
  }

  return {
    async load() {
      loading ??= load()
      try {
        await loading
      } catch (cause) {
        loading = null
        throw new Failure('LOAD_FAILED', { cause })
      }
    },
    draw: (drawn) => drawing?.draw(drawn),
    setLook({ themeMode = look.mode, themeVariables, locale = look.locale }) {
      const theme = themeVariables === undefined ? look.theme : safeTheme(themeVariables)
      look = { mode: themeMode, theme, locale }
      void drawing?.setLook(look)
    },
    end: () => drawing?.end(),
  }
}

/** No font: rule 5 of `createApprovalScreen`. */
function safeTheme(given: unknown): Look['theme'] {
  const { accent, radius } = Theme.safeParse(given).data ?? {}
  return { ...(accent !== undefined && { accent }), ...(radius !== undefined && { radius }) }
}
