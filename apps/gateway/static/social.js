// The page at the start and at the end of a social sign-in, in the popup.
//
// 1. It hands its ticket to every frame of the window that opened it, at its own origin only: the browser gives it to the wallet's frame and to nobody else.
// 2. When a frame of its own origin says that it took the ticket of this very flow, it closes itself.
// 3. When none does in 1.5 s (the opener is cut off, or there is none), it asks the visitor whether they started this. Only after their press does it trade the ticket for six digits and show them: no page can press for them. A press in the first second does not count, as it may have been meant for something else.
// 4. Where the visitor declined, it closes itself: the modal says so.
// 5. At the start, without an opener (the dapp's page has cut it off), nothing leads it to the provider: the modal opens another window. It says so, and closes itself if the browser allows that.
;(() => {
  const { flow, ticket, close, opening } = document.documentElement.dataset
  if (close !== undefined && window.opener !== null) window.close()
  if (opening !== undefined && window.opener === null) {
    document.getElementById('opening').textContent = 'This continues in another window. Close this one.'
    window.close()
  }
  if (flow === undefined || ticket === undefined) return
  const show = (id) => {
    for (const part of ['arrived', 'ask', 'digits', 'failed']) document.getElementById(part).hidden = part !== id
  }

  const onMessage = (event) => {
    if (event.origin !== location.origin || event.data?.type !== 'postern:social-taken' || event.data.flow !== flow)
      return
    clearTimeout(timer)
    window.removeEventListener('message', onMessage)
    window.close()
  }
  const ask = () => {
    const button = document.getElementById('show')
    show('ask')
    setTimeout(() => {
      button.disabled = false
    }, 1000)
    button.addEventListener('click', showDigits, { once: true })
  }
  const showDigits = async () => {
    window.removeEventListener('message', onMessage)
    try {
      const response = await fetch('/auth/social/code', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ flow, ticket }),
      })
      const { code } = await response.json()
      if (!/^\d{6}$/.test(code)) throw new Error('no code')
      document.getElementById('code').textContent = code
      show('digits')
    } catch {
      show('failed')
    }
  }

  window.addEventListener('message', onMessage)
  const timer = setTimeout(ask, 1500)
  const frames = window.opener?.frames
  for (let index = 0; index < (frames?.length ?? 0); index++) {
    frames[index].postMessage({ type: 'postern:social-ticket', v: 1, flow, ticket }, location.origin)
  }
})()
