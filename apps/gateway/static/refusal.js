// The refusal page's whole behaviour: it tells the SDK that frames it why the modal is not served.
//
// 1. It knocks once at its parent, with the same empty message as the modal host (`knock` of the page link).
// 2. It answers the first `postern:hello` that its parent sends with a port, on that port: a `Refusal` with the parent's origin
//    as the browser reports it. Then it closes the port and listens no more.
// 3. Everything else is ignored. There is nothing to protect here: the page holds no more than its own text.
;(() => {
  const { code, message, fix } = document.documentElement.dataset
  const onMessage = (event) => {
    if (event.source !== window.parent || event.data?.type !== 'postern:hello') return
    const [port] = event.ports
    if (port === undefined) return
    window.removeEventListener('message', onMessage)
    port.postMessage({ kind: 'refused', error: { code, message, fix }, origin: event.origin })
    port.close()
  }
  if (window.parent === window) return
  window.addEventListener('message', onMessage)
  // '*' because a page that nobody may frame does not know its parent; the knock is a constant and carries nothing.
  window.parent.postMessage('postern:ready', '*')
})()
