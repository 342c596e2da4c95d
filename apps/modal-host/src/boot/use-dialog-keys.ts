import { type RefObject, useEffect } from 'react'
import { loopTarget } from './focus'

/** Escape asks to close; Tab goes round inside the card. Heard on the document, for focus may be nowhere. */
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
