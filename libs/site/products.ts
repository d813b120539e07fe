import { pagePaths, sitePaths, type ProductView } from '#contracts';
import { html, ownPath, paragraphs, type Html } from './html.js';
import { riskNotice, type Sheet } from './layout.js';
import type { SiteView } from './view.js';

/**
 * The page of a product, which its name finds. A browser takes a last part of dots alone for a step upwards; with a blank,
 * which no name is told apart by, it is a name.
 */
export function pathOfProduct({ productName }: Pick<ProductView, 'productName'>): string {
  const name = /^\.{1,2}$/.test(productName) ? `${productName} ` : productName;
  return sitePaths.product.replace(':productName', encodeURIComponent(name));
}

/** `/products` */
export function productList({ content }: SiteView, products: readonly ProductView[], isAll: boolean): Sheet {
  return {
    title: 'Products',
    description: products.map(({ productName, title }) => `${productName}: ${title}.`).join(' '),
    path: sitePaths.products,
    body: html`<section class="first">
        <div class="wrap">
          <h1>Products</h1>
          ${!isAll && html`<p class="soft">These are the newest ${products.length}. There are more.</p>`}
          <ul class="gallery">
            ${products.map(
              (product) =>
                html`<li>
                  ${picture(product.imageUrl, product.productName)}
                  <h2><a class="link" href="${pathOfProduct(product)}">${product.productName}</a></h2>
                  <p>${product.title}</p>
                  ${price(product)}
                </li>`,
            )}
          </ul>
        </div>
      </section>
      ${riskNotice(content)}`,
  };
}

/** `/products/:productName` */
export function productDetail({ content }: SiteView, product: ProductView): Sheet {
  const { productName, title, subtitle, description, ownerName, ownerImage, recommendedImages } = product;
  return {
    title: productName,
    description,
    path: pathOfProduct(product),
    body: html`<section class="first">
        <div class="wrap contact product">
          <div>${picture(product.imageUrl, productName)}</div>
          <div>
            <h1>${productName}</h1>
            <h2>${title}</h2>
            <p class="soft">${subtitle}</p>
            ${price(product)} ${paragraphs(description)}
            <p class="owner">${face(ownerImage)} ${ownerName}</p>
            <p class="actions"><a class="button primary" href="${pagePaths.register}">Get Started</a></p>
          </div>
        </div>
        ${
          recommendedImages.length > 0 &&
          html`<div class="wrap">
            <ul class="gallery">
              ${recommendedImages.map((image) => html`<li>${picture(image, '')}</li>`)}
            </ul>
          </div>`
        }
      </section>
      ${riskNotice(content)}`,
  };
}

function price({ amount, isOutOfStock }: ProductView): Html {
  return html`<p class="range">
    ${amount} USD ${isOutOfStock && html`<span class="sold">Out of stock</span>`}
  </p>`;
}

function picture(address: string, name: string): Html {
  const own = ownPath(address);
  return own === undefined ? html`` : html`<img src="${own}" alt="${name}" width="640" height="400" />`;
}

function face(address: string): Html {
  const own = ownPath(address);
  return own === undefined ? html`` : html`<img class="face" src="${own}" alt="" width="40" height="40" />`;
}
