import type { AlertOptions } from './modal/alert/alert'

/** The full alert is part of the modal's code, which did not load. Returns a function that removes the alert. */
export function showPlainAlert({ document, onRetry }: Pick<AlertOptions, 'document' | 'onRetry'>): () => void {
  const create = <Name extends 'dialog' | 'button'>(name: Name, text: string) =>
    Object.assign(document.createElement(name), { textContent: text })
  const dialog = create('dialog', 'Couldn’t load the wallet. Check your connection and try again, or reload the page. ')
  const retry = create('button', 'Try again')
  const host = document.createElement('postern-alert')
  const close = () => dialog.close()
  dialog.role = 'alertdialog'
  dialog.ariaLabel = dialog.textContent
  dialog.onclose = () => host.remove()
  retry.onclick = () => {
    close()
    onRetry()
  }
  dialog.append(retry)
  host.append(dialog)
  document.documentElement.append(host)
  dialog.showModal()
  return close
}
