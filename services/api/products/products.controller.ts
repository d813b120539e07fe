import { Controller, type StreamableFile } from '@nestjs/common';
import {
  Bus,
  ChangeProduct,
  CreateProduct,
  DeleteProduct,
  GetProduct,
  GetProductByName,
  ListProducts,
  SetProductStock,
  type ApplicationCommand,
  type Receipt,
} from '#application';
import { parseMoney, productStream, type ProductFields } from '#ledger';
import { CommandParam, type CommandRequest } from '../http/command-context.js';
import { Lists, ListParam, type ListRequest } from '../http/lists.js';
import { BodyOf, ParamsOf, QueryOf, Route, type AnswerOf } from '../http/route.js';
import { productColumns } from './columns.js';

/** Letters and digits of a product's id (specification, section 9). */
const PRODUCT_ID_LENGTH = 35;

const UPDATED = 'Product updated successfully!';

/** What is offered: everyone reads it, admins write it. */
@Controller()
export class ProductsController {
  constructor(
    private readonly bus: Bus,
    private readonly lists: Lists,
  ) {}

  @Route('products')
  list(
    @QueryOf('products') query: QueryOf<'products'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'products'> | StreamableFile> {
    return this.lists.answer(list, query, productColumns, (page) =>
      this.bus.query(new ListProducts('shown', { ...query, ...page })),
    );
  }

  @Route('allProducts')
  all(
    @QueryOf('allProducts') query: QueryOf<'allProducts'>,
    @ListParam() list: ListRequest,
  ): Promise<AnswerOf<'allProducts'> | StreamableFile> {
    return this.lists.answer(list, query, productColumns, (page) =>
      this.bus.query(new ListProducts('all', { ...query, ...page })),
    );
  }

  @Route('productByName')
  byName(@ParamsOf('productByName') { name }: ParamsOf<'productByName'>): Promise<AnswerOf<'productByName'>> {
    return this.bus.query(new GetProductByName(name));
  }

  @Route('product')
  one(@ParamsOf('product') { productId }: ParamsOf<'product'>): Promise<AnswerOf<'product'>> {
    return this.bus.query(new GetProduct(productId));
  }

  @Route('createProduct')
  async create(
    @BodyOf('createProduct') body: BodyOf<'createProduct'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'createProduct'>> {
    const fields = { ...body, amount: parseMoney(body.amount, 'USD') };
    const productId = request.idOf(PRODUCT_ID_LENGTH);
    const context = request.contextFor(productStream(productId), body);
    const command = new CreateProduct(context, productId, fields);
    return this.carryOut(request, command, 'Product uploaded successfully!');
  }

  @Route('changeProduct')
  async change(
    @ParamsOf('changeProduct') { productId }: ParamsOf<'changeProduct'>,
    @BodyOf('changeProduct') body: BodyOf<'changeProduct'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'changeProduct'>> {
    const { amount, ...others } = given(body);
    const fields = amount === undefined ? others : { ...others, amount: parseMoney(amount, 'USD') };
    const context = request.contextFor(productStream(productId), body);
    return this.carryOut(request, new ChangeProduct(context, productId, fields), UPDATED);
  }

  @Route('setProductStock')
  setStock(
    @ParamsOf('setProductStock') { productId }: ParamsOf<'setProductStock'>,
    @BodyOf('setProductStock') body: BodyOf<'setProductStock'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'setProductStock'>> {
    const context = request.contextFor(productStream(productId), body);
    return this.carryOut(request, new SetProductStock(context, productId, body.isOutOfStock), UPDATED);
  }

  @Route('deleteProduct')
  delete(
    @ParamsOf('deleteProduct') { productId }: ParamsOf<'deleteProduct'>,
    @CommandParam() request: CommandRequest,
  ): Promise<AnswerOf<'deleteProduct'>> {
    const context = request.contextFor(productStream(productId), {});
    return this.carryOut(request, new DeleteProduct(context, productId), 'Product deleted successfully!');
  }

  private async carryOut(
    request: CommandRequest,
    command: ProductWrite,
    message: string,
  ): Promise<AnswerOf<'changeProduct'>> {
    const { position } = await request.answered(this.bus.execute(command));
    return { productId: command.productId, position, message };
  }
}

type ProductWrite = ApplicationCommand<Receipt> & { readonly productId: string };
type Given = Partial<Omit<ProductFields, 'amount'>> & { readonly amount?: string };

/** The fields that a body has, without those that it leaves out. */
function given(body: BodyOf<'changeProduct'>): Given {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
