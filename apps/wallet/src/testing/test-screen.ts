import type { DrawnCode } from '../approval/code/code-card'
import type { DrawingHandlers, DrawnApproval, Look } from '../approval/drawing'
import type { FrameOptions } from '../frame/frame'

/** Records what the frame draws, and the windows that it opens. */
export function testScreen() {
  const screen = {
    shown: null as DrawnApproval | null,
    code: null as DrawnCode | null,
    onDraw: () => {},
    look: null as Look | null,
    handlers: null as DrawingHandlers | null,
    loads: 0,
    blocksPopups: false,
    ended: 0,
    fails: false,
  }
  /** URLs of the windows that the frame opened. */
  const popups: string[] = []
  return {
    screen,
    popups,
    async loadDrawing(handlers) {
      screen.handlers = handlers
      screen.loads += 1
      if (screen.fails) throw new Error('offline')
      return {
        draw(shown) {
          screen.shown = shown !== null && 'request' in shown ? shown : null
          screen.code = shown !== null && 'purpose' in shown ? shown : null
          screen.onDraw()
        },
        async setLook(look) {
          screen.look = look
        },
        end() {
          screen.ended += 1
        },
      }
    },
    openPopup(url) {
      popups.push(url)
      return screen.blocksPopups ? null : { closed: false, focus: () => {} }
    },
  } satisfies Partial<FrameOptions> & { readonly screen: unknown; readonly popups: readonly string[] }
}
