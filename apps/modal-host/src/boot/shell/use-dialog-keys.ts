import { type RefObject, useEffect } from 'react'
import { loopTarget } from './focus'

/** Escape requests a close; Tab cycles in the card. On the document: the focus may be on no element. */
export function useDialogKeys(card: RefObject<HTMLElement | null>, shown: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!shown) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) {
        event.preventDefault()
        onEscape()
      }
      if (event.key !== 'Tab' || card.current === null) return
      const target = loopTarget(card.current, document.activeElement, event.shiftKey)
      if (target === null) return
      event.preventDefault()
      target.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [card, shown, onEscape])
}
