import { adminRoutes, api, changed, mutation, query, rowsOf, whole } from '../../api';

const products = api.injectEndpoints({
  endpoints: (build) => {
    const changes = ({ productId }: { readonly productId: string }) => changed('products', productId);
    return {
      allProducts: query(build, adminRoutes.allProducts, {
        shows: (_, answer) => rowsOf('products', answer?.items),
      }),
      uploadProductImage: mutation(build, adminRoutes.uploadProductImage),
      uploadRecommendedImage: mutation(build, adminRoutes.uploadRecommendedImage),
      createProduct: mutation(build, adminRoutes.createProduct, { changes: () => [whole('products')] }),
      changeProduct: mutation(build, adminRoutes.changeProduct, { changes }),
      setProductStock: mutation(build, adminRoutes.setProductStock, { changes }),
      deleteProduct: mutation(build, adminRoutes.deleteProduct, { changes }),
    };
  },
});

export const {
  useAllProductsQuery,
  useChangeProductMutation,
  useCreateProductMutation,
  useDeleteProductMutation,
  useSetProductStockMutation,
  useUploadProductImageMutation,
  useUploadRecommendedImageMutation,
} = products;
