import type { HostSnapshot, SignInPrompt } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'
import { factsOfView, isPromptView } from '../snapshot/views'

/** The sign-in's view, which may cover one that the user fills in or pays in. */
export function createCoveringView(store: SnapshotStore, modal: Modal, view: SignInPrompt['view']) {
  let covered: HostSnapshot['opening'] | null = null

  function isShown(): boolean {
    const { open, opening } = store.getState()
    return open && isPromptView(opening.view)
  }

  function show(): void {
    const { open, opening } = store.getState()
    if (!isShown()) covered = open && factsOfView(opening.view).resumes ? opening : null
    modal.open(view)
  }

  return {
    isShown,
    show,
    /** Does nothing while an approval is on screen. */
    showError(): void {
      const { open, approvals } = store.getState()
      if (!open || (!isShown() && approvals.length === 0)) show()
    },
    /** Returns to the covered view, unless it is a payment that has ended. */
    goBack(): void {
      const back = covered
      covered = null
      if (back !== null && (back.view !== 'Pay' || store.getState().payment !== null)) modal.open(back.view, back.swap)
      else modal.close()
    },
    forgetCovered(): void {
      covered = null
    },
  }
}
