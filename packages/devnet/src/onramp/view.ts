import { formatUnits } from 'viem'
import { type Html, html, nothing, page } from '../http/page'
import type { Answer } from '../http/serve'
import { currencies } from '../market/prices'
import { type Offer, quoteOf } from './offers'
import type { Order } from './orders'

/** Values that the link preselects. */
export type Preset = {
  /** Index in the list of offers. */
  readonly choice: number
  readonly amount: string
  readonly currency: string
}

const title = 'Buy with play money'

export function buyPage(order: Order, offers: readonly Offer[], preset: Preset, problem: string | null): Answer {
  const chosen = (selected: boolean): Html => (selected ? html` selected` : nothing)
  const price = (offer: Offer) => {
    const quote = quoteOf(offer, 'USD', 'CARD', 10_000n)
    return quote === null ? '' : `100 USD buys ${formatUnits(quote.purchased, offer.decimals)} ${offer.asset}`
  }
  return page({
    title,
    formAction: order.redirectUrl === null ? "'self'" : `'self' ${new URL(order.redirectUrl).origin}`,
    body: html`<main>
<h1>${title}</h1>
<p class="quiet">A mock of an on-ramp. It needs no card, and its money has no value.</p>
${problem === null ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
<form class="card" method="post" action="/buy">
<input type="hidden" name="order" value="${order.id}">
<label><span>Asset</span><select name="choice">${offers.map(
      (offer, index) =>
        html`<option value="${index}"${chosen(index === preset.choice)}>${offer.asset} on ${offer.networkName}</option>`,
    )}</select></label>
<div class="two">
<label><span>You pay</span><input name="amount" value="${preset.amount}" required inputmode="decimal" autocomplete="off"></label>
<label><span>Currency</span><select name="currency">${Object.keys(currencies).map(
      (currency) => html`<option value="${currency}"${chosen(currency === preset.currency)}>${currency}</option>`,
    )}</select></label>
</div>
<ul class="list">${offers.map((offer) => html`<li class="quiet">${price(offer)}, on ${offer.networkName}</li>`)}</ul>
<p class="quiet">Goes to ${order.session.addresses.map(({ address }) => address).join(', ')}.</p>
<div class="two"><button name="answer" value="decline" formnovalidate>Decline</button><button class="main" name="answer" value="pay">Pay (play money)</button></div>
</form>
</main>`,
  })
}

export const failureReply = (status: number, message: string): Answer => ({
  ...page({ title, body: html`<main><h1>${title}</h1><section><p role="status">${message}</p></section></main>` }),
  status,
})
