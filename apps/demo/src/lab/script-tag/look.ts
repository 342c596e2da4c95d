import type { Postern } from '@postern/client'
import {
  accents,
  accentWords,
  applyLook,
  type Look,
  modes,
  modeWords,
  onSchemeChange,
  readLook,
  storeLook,
  themeOf,
} from '../../dapp/theme'
import { byId, make } from './dom'

export function setUpLook(): (postern: Postern) => void {
  let look = readLook(window)
  let modal: Postern | undefined
  const apply = () => {
    applyLook(window, look)
    modal?.setTheme(themeOf(window, look))
  }
  const choose = (change: Partial<Look>) => {
    look = { ...look, ...change }
    storeLook(window, look)
    apply()
  }
  const radio = (name: string, word: string, checked: boolean, onchange: () => void) =>
    make('label', {}, make('input', { type: 'radio', name, checked, onchange }), word)

  byId('modes', HTMLElement).append(
    ...modes.map((mode) => radio('mode', modeWords[mode], mode === look.mode, () => choose({ mode }))),
  )
  byId('accents', HTMLElement).append(
    ...accents.map((accent) => radio('accent', accentWords[accent], accent === look.accent, () => choose({ accent }))),
  )
  onSchemeChange(window, apply)
  apply()
  return (postern) => {
    modal = postern
    apply()
  }
}
