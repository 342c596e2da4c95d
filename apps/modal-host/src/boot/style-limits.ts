import { limits } from '@postern/protocol'

/** Sets the limits of spec §9 as CSS properties. */
export function applyLimits(root: HTMLElement): void {
  root.style.setProperty('--limit-header', `${limits.headerTextAnimation}ms`)
  root.style.setProperty('--limit-height', `${limits.modalHeightAnimation}ms`)
  root.style.setProperty('--limit-view', `${limits.viewTransition}ms`)
  root.style.setProperty('--limit-shake', `${limits.shake}ms`)
  root.style.setProperty('--limit-width', `${limits.modalWidth}px`)
}
